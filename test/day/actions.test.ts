import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '../../src/api.ts'

// Endpoints whose names contain a record type or a kind of push. A search for full names does not find them.
const composed =
  /^(list|get|create|update|archive|restore|erase|upsert|batch|read|search|export)_(contact|contacts|company|companies|deal|deals)$|^(push|preview)_crm_(leads|contacts)$/

test('the day of requests uses every endpoint', () => {
  const folder = join(import.meta.dirname, 'actions')
  const source = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('')
  const unused = endpoints.filter(({ name }) => !composed.test(name) && !source.includes(`'${name}'`))
  expect(unused.map(({ name }) => name)).toEqual([])
})
