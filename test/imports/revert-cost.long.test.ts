import { afterAll, expect, test } from 'vitest'
import { contacts } from '../../src/contacts/contacts.ts'
import { type RevertPlace, requestRevert, revertNext, revertStart } from '../../src/imports/revert.ts'
import type { Import } from '../../src/imports/schema.ts'
import { Org } from '../../src/platform/db/org.ts'
import { OrgTx } from '../../src/platform/db/org-tx.ts'
import type { Statement } from '../../src/platform/db/statement.ts'
import type { Tx } from '../../src/platform/db/tx.ts'
import { insertRecords } from '../../src/records/insert.ts'
import { startTestApp } from '../support/app.ts'
import { importCsv } from '../support/csv-imports.ts'

const app = await startTestApp()
afterAll(() => app.close())

type PlanNode = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Counts the rows of `table` that a plan read. */
const rowsRead = (table: string, node: PlanNode): number =>
  (node['Relation Name'] === table
    ? node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))
    : 0) + (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(table, each), 0)

test('a revert of an import reads each created record once, for any number of steps', async () => {
  const client = await app.newOrg()
  const done = await importCsv(client, 'email\nfirst@example.com\n')
  const org = app.app.context.database.org(client.orgId)
  const states = Array.from({ length: 4_000 }, (_, n) =>
    contacts.apply(null, { last_name: `Imported ${n}` }, { defaultCountry: 'US' }, false),
  )
  await org.transact((tx) => insertRecords(tx, contacts, states, done.import_id))
  let read = 0
  let steps = 0
  /** Counts the rows read by statements that lock records before the revert archives them. */
  const counting = (tx: Tx): OrgTx => {
    const rows = async <Row>(query: Statement<Row>): Promise<Row[]> => {
      if (/ from contact r\s.*import_id.*for update$/s.test(query.text)) {
        steps += 1
        const text = `explain (analyze, format json) ${query.text}`
        const [row] = await tx.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({ text, values: query.values })
        read += row ? rowsRead('contact', row['QUERY PLAN'][0].Plan) : 0
      }
      return tx.rows(query)
    }
    const counted: Tx = {
      rows,
      first: (query) => tx.first(query),
      run: (query) => tx.run(query),
      afterCommit: (act) => tx.afterCommit(act),
    }
    return new OrgTx(counted, org.actor)
  }
  const counted = new Org(org.actor, {
    transact: (work) => org.transact((tx) => work(counting(tx))),
    read: (work) => org.read(work),
    readRows: (query) => org.readRows(query),
  })
  await org.transact((tx) => requestRevert(tx, done as unknown as Import))
  for (let place: RevertPlace | null = revertStart; place !== null; )
    place = await revertNext(counted, contacts, done.import_id, place)
  const { counts } = (await client.get(`/imports/${done.import_id}`)).body.data
  expect(counts).toMatchObject({ reverted: 4_001, kept: 0 })
  // A plan may read one record ahead in each step.
  expect(read).toBeGreaterThanOrEqual(4_001)
  expect(read).toBeLessThanOrEqual(4_001 + steps)
})
