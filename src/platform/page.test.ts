import { expect, test } from 'vitest'
import { systemOf } from './actor.ts'
import { JsonColumns, type TextRow } from './db/json-columns.ts'
import { Org } from './db/org.ts'
import { sql } from './db/sql.ts'
import type { Cursors } from './http/cursor.ts'
import { Filter, readPage } from './page.ts'

const orgId = '00000000-0000-7000-8000-000000000000'
const rows = 100

/** A list whose database answers at once, so that no other work can run before the answer is written. */
async function turnsOfList(text: string): Promise<{ turns: number; data: unknown[] }> {
  const stored: TextRow[] = Array.from({ length: rows }, (_, at) => [String(rows), `${at}`, text])
  const unused = () => Promise.reject(new Error('not used'))
  const org = new Org(systemOf(orgId), {
    transact: unused,
    read: unused,
    readRows: async () => stored as never[],
  })
  const wire = new JsonColumns('n', { note_id: 'uuid', text: 'text' })
  const source = { list: 'l', from: sql`note n`, id: sql`n.note_id`, wire, filter: new Filter(orgId, 'n') }
  let [turns, isDone] = [0, false]
  const page = readPage(org, {} as Cursors, source, { limit: rows } as never).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise(setImmediate)
    if (!isDone) turns++
  }
  return { turns, data: JSON.parse((await page).rows.text) }
}

test('other work runs while a page of long texts becomes JSON', async () => {
  const text = 'é"\n'.repeat(10_000)
  const { turns, data } = await turnsOfList(text)
  expect(turns).toBeGreaterThan(0)
  expect(data).toHaveLength(rows)
  expect(data.at(-1)).toEqual({ note_id: `${rows - 1}`, text })
})
