import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

/** Columns with the id of the record itself. A merge does not change these rows of the survivor. */
const ownRows = ['deal_contact.deal_id']

test('every reference is stored with the written id and the canonical id', async () => {
  const references = await withClient(app, async (client) => {
    const { rows } = await client.query<{ table: string; column: string; to: string }>(`
      select f.conrelid::regclass::text as table, a.attname as column, f.confrelid::regclass::text as to
      from pg_constraint f
      join lateral unnest(f.conkey) as k (attnum) on true
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.attnum and a.attname <> 'org_id'
      where f.contype = 'f' and f.confrelid in ('contact'::regclass, 'company'::regclass, 'deal'::regclass)`)
    return rows
  })
  const columns = references
    .filter(({ column }) => column !== 'merged_into_id')
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => !ownRows.includes(name))
  expect(columns.length).toBeGreaterThan(5)
  for (const name of columns) {
    const twin = name.endsWith('_raw_id') ? name.replace('_raw_id', '_id') : name.replace(/_id$/, '_raw_id')
    expect(
      columns,
      `${name} needs ${twin}, and whoever merges has to move it (records/referrers.ts)`,
    ).toContain(twin)
  }
})
