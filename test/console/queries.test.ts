import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow } from '../support/imports.ts'

test('each query of the console is defined in one file, so that all pages read and store the same', () => {
  const definition = /queryKey: \[\s*'([\w -]+)'[^\]]*\],\s*(?:\/\/.*\s*)*(?:queryFn|select)\b/g
  const found = filesBelow('console/src').flatMap((file) =>
    [...readFileSync(join('console/src', file), 'utf8').matchAll(definition)].map(([, name]) => ({
      name,
      file,
    })),
  )
  expect(found.length).toBeGreaterThan(60)
  const files = Map.groupBy(found, ({ name }) => name)
  const several = [...files].filter(([, all]) => new Set(all.map(({ file }) => file)).size > 1)
  expect(several.map(([name, all]) => [name, ...all.map(({ file }) => file)])).toEqual([])
})
