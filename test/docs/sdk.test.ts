import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/config.ts'
import { startTestApp } from '../support/app.ts'
import { pages } from '../support/markdown.ts'
import { Child, cleanUp, fileNamed } from '../support/processes.ts'
import { entries, linesOf, programOf } from './programs.ts'

const app = await startTestApp()
afterAll(async () => {
  await cleanUp()
  await app.close()
})

describe('the programs in the docs', () => {
  test('docs/guides/sdk.md prints what it says', async () => {
    const printed = await linesOf('docs/guides/sdk.md', await app.newOrg())
    expect(printed).toEqual([
      '1',
      'ada@example.com true false',
      'ada@example.com',
      '1',
      'version_conflict London',
      expect.stringMatching(/^sent (\d+) of \1 bytes$/),
      'succeeded 20',
      'agency_key_required',
      expect.stringContaining('must have an @-sign'),
    ])
    const exported = readFileSync(join(dirname(fileNamed('x')), 'contacts.csv'), 'utf8')
    expect(exported.trim().split('\n')).toHaveLength(22)
  })

  test('README.md shows a program that runs', async () => {
    const org = await app.newOrg()
    const printed = await linesOf('README.md', org)
    expect(printed.at(-1)).toBe('succeeded 20')
    expect((await org.get('/contacts')).body.pagination.total).toBe(21)
  })

  test('TypeScript accepts them', async () => {
    const folder = fileNamed('typed')
    mkdirSync(folder, { recursive: true })
    const programs = pages.filter(({ blocks }) => blocks.some(({ language }) => language === 'ts'))
    expect(programs.length).toBeGreaterThan(6)
    for (const { file } of programs)
      writeFileSync(join(folder, `${file.replaceAll(/\W/g, '-')}.ts`), programOf(file))
    const paths = Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, [join(projectRoot, file)]]),
    )
    const compilerOptions = {
      paths,
      incremental: false,
      typeRoots: [join(projectRoot, 'node_modules/@types')],
      noUnusedLocals: false,
    }
    const config = { extends: join(projectRoot, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const compiler = new Child('node_modules/.bin/tsc', ['-p', folder], {})
    expect(await compiler.ended).toMatchObject({ code: 0, stdout: '' })
  })
})
