import { afterAll, expect, test } from 'vitest'
import { type Totals, TotalsFolder } from '../../src/platform/db/fold-totals.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { type SystemScope, system } from '../../src/platform/db/system.ts'
import type { Tx } from '../../src/platform/db/tx.ts'
import { recordTotals } from '../../src/records/totals.ts'
import { startTestApp } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'

// An API process folds nothing by itself.
const app = await startTestApp({ role: 'api' })
afterAll(() => app.close())

/** The blocks that this connection read and has not reported yet. */
async function readBlocks(tx: Tx): Promise<number> {
  const [read] = await tx.rows(sql<{ n: number }>`
    select sum(pg_stat_get_xact_blocks_fetched(oid))::int as n from pg_class
    where oid = 'record_delta'::regclass
      or oid in (select indexrelid from pg_index where indrelid = 'record_delta'::regclass)`)
  return read?.n ?? 0
}

/** A scope that counts the blocks of record_delta, and of its indexes, that its transactions read. */
function countingScope(): { scope: Pick<SystemScope, 'readRows' | 'transact'>; blocks: () => number } {
  const plain = system(app.app.context.database)
  let blocks = 0
  return {
    blocks: () => blocks,
    scope: {
      readRows: (query) => plain.readRows(query),
      transact: (work) =>
        plain.transact(async (tx) => {
          const before = await readBlocks(tx)
          const result = await work(tx)
          blocks += (await readBlocks(tx)) - before
          return result
        }),
    },
  }
}

test('while an export or a backup keeps its snapshot, a fold of totals does not read again what was folded before', async () => {
  const org = await app.newOrg()
  const totals = recordTotals.filter(({ deltas }) => deltas === 'record_delta') satisfies Totals[]
  const { scope, blocks } = countingScope()
  const folder = new TotalsFolder(scope, totals)
  const left = async () =>
    (
      await app.operate((tx) =>
        tx.rows<{ n: number }>({ text: 'select count(*)::int as n from record_delta', values: [] }),
      )
    )[0]?.n
  const addOne = async () => {
    await org.post('/contacts', { first_name: 'Ada' })
    await folder.fold()
  }
  let added = 0
  const blocksForOne = async () => {
    const before = blocks()
    await addOne()
    added += 1
    return blocks() - before
  }
  await withClient(app, async (client) => {
    await client.query('begin isolation level repeatable read')
    await client.query('select count(*) from contact')
    const tags = (at: number) => Array.from({ length: 50 }, (_, tag) => `${at} ${tag}`)
    const items = Array.from({ length: 400 }, (_, at) => ({ first_name: `${at}`, tags: tags(at) }))
    expect((await org.post('/contacts/batch', { items })).status).toBe(200)
    expect(await left()).toBeGreaterThan(20_000)
    await folder.fold()
    await folder.fold()
    expect(await left()).toBe(0)
    // The floor rises only after transactions that began earlier have ended, also those of other files.
    await expect.poll(blocksForOne, patience).toBeLessThan(60)
    expect(await left()).toBe(0)
    await client.query('commit')
  })
  expect((await org.get('/contacts?limit=1')).body.pagination.total).toBe(400 + added)
})
