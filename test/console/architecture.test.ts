import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, importsOf } from '../support/imports.ts'

describe('console/', () => {
  const own = filesBelow('console/src').filter((path) => !path.startsWith('api/generated/'))
  const within = own.flatMap((path) => importsOf(path, 'console/src'))

  test('the console imports nothing of the server, and only its client imports the SDK', () => {
    const outward = within.filter(({ to, typeOnly }) => to.startsWith('..') && !typeOnly)
    expect(outward.length).toBeGreaterThan(3)
    expect(within.filter(({ to }) => to.startsWith('..') && !to.startsWith('../../sdk/src/'))).toEqual([])
    const errorsAlone = outward.filter(
      ({ from, to }) => !from.startsWith('api/') && !to.endsWith('/errors.ts'),
    )
    expect(errorsAlone).toEqual([])
  })

  test('a page imports no other page, and parts know no page', () => {
    const pageOf = (path: string) => /^routes\/(settings\/)?[\w-]+\//.exec(path)?.[0] ?? null
    const routers = ['root-routes.tsx', 'pages.tsx', 'reach-routes.ts', 'settings-routes.ts']
    const toPages = within.filter(({ from, to }) => pageOf(to) && !routers.includes(from))
    expect(toPages.filter(({ from, to }) => pageOf(from) !== pageOf(to))).toEqual([])
  })

  test('the page that shows all parts is in no build', () => {
    const reached = new Set(['main.tsx'])
    for (const path of reached)
      for (const { from, to, typeOnly } of within) if (from === path && !typeOnly) reached.add(to)
    expect(reached.size).toBeGreaterThan(80)
    expect([...reached].filter((path) => path.startsWith('parts-page/'))).toEqual([])
    expect(readFileSync('console/index.html', 'utf8')).toContain('src="./src/main.tsx"')
  })

  test('no file has more than 300 lines, and colors are in tokens.css alone', () => {
    const lengths = own.map((path) => [
      path,
      readFileSync(join('console/src', path), 'utf8').split('\n').length - 1,
    ])
    expect(lengths.filter(([, lines]) => Number(lines) > 300)).toEqual([])
    const styles = readdirSync('console/src', { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.css') && path !== 'tokens.css',
    )
    expect(styles.length).toBeGreaterThan(10)
    const colored = styles.filter((path) =>
      /#[0-9a-f]{3,8}\b|\brgb/i.test(readFileSync(join('console/src', path), 'utf8')),
    )
    expect(colored).toEqual([])
  })
})
