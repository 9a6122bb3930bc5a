import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resources } from '../../src/auth/permissions.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { pageNamed } from '../support/markdown.ts'

test('docs/reference/api.md lists all resources of permissions', () => {
  const [, list = ''] =
    /The resources are ([^.]*)\./.exec(pageNamed('docs/reference/api.md').text.replaceAll('\n', ' ')) ?? []
  expect([...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual([...resources])
})

test('the packages that SECURITY.md compares with advisories are installed in these versions', () => {
  type Package = { version?: string; dev?: boolean }
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'))
  const versions = Map.groupBy(Object.entries(lock.packages as Record<string, Package>), ([path]) =>
    path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
  )
  // The rows of programs begin with a capital letter.
  const rows = [...pageNamed('SECURITY.md').text.matchAll(/^\| ([a-z-]+) \| (\d[\d., ]*) \|/gm)]
  expect(rows.length).toBeGreaterThan(5)
  const installed = (name: string) =>
    (versions.get(name) ?? []).filter(([, { dev }]) => !dev).map(([, { version }]) => version)
  for (const [, name = '', shown = ''] of rows)
    expect([name, ...installed(name).sort()]).toEqual([name, ...shown.split(', ').sort()])
})
