import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { tablesSource } from '../../scripts/generate-tables.ts'
import { databaseNamed } from '../support/database.ts'

test("the generated table types match the migrated database ('npm run generate' writes them)", async () => {
  const client = new Client({ connectionString: databaseNamed(inject('databaseUrl'), 'crosswalk_template') })
  await client.connect()
  const source = await tablesSource(client)
  await client.end()
  expect(readFileSync('src/platform/db/tables.ts', 'utf8')).toBe(source)
})
