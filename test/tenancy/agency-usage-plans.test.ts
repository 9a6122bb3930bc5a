import { escapeLiteral } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listClients } from '../../src/agencies/clients.ts'
import { listClientUsage, readUsageAfter } from '../../src/agencies/usage/usage.ts'
import type { Org } from '../../src/platform/db/org.ts'
import type { Statement } from '../../src/platform/db/statement.ts'
import type { Cursors } from '../../src/platform/http/cursor.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'

let app: TestApp
let agency: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
  agency = await app.newAgency()
  await runAsOwner(
    app.databaseUrl,
    `with made as (
       insert into org (org_id, name) select gen_random_uuid(), 'Client ' || n from generate_series(1, 1000) n
       returning org_id)
     insert into agency_client (agency_org_id, client_org_id) select $1, org_id from made`,
    [agency.orgId],
  )
})
afterAll(() => app.close())

type Plan = { 'Function Name'?: string; 'Actual Loops': number; Plans?: Plan[] }

async function statementOf(
  list: (org: Org, cursors: Cursors) => Promise<unknown>,
): Promise<Statement<unknown>> {
  const { database, cursors } = app.app.context
  const { orgId, actor, payerId } = database.org(agency.orgId)
  const sent: Statement<unknown>[] = []
  const readRows = (statement: Statement<unknown>) => {
    sent.push(statement)
    return database.org(orgId).readRows(statement)
  }
  await list({ orgId, actor, payerId, readRows } as unknown as Org, cursors)
  return sent.at(-1)!
}

/** How often a statement of the app's role calls each function. */
function callsOf({ text, values }: Statement<unknown>, mode: string): Promise<Record<string, number>> {
  return app.app.context.database.org(agency.orgId).transact(async (tx) => {
    await tx.run({ text: `set local plan_cache_mode = ${mode}`, values: [] })
    await tx.run({ text: `prepare planned as ${text}`, values: [] })
    const given = values.map((value) => (value === null ? 'null' : escapeLiteral(String(value)))).join(', ')
    const [row] = await tx.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
      text: `explain (analyze, format json) execute planned(${given})`,
      values: [],
    })
    await tx.run({ text: 'deallocate planned', values: [] })
    const calls: Record<string, number> = {}
    const count = ({ 'Function Name': name, 'Actual Loops': loops, Plans: parts = [] }: Plan) => {
      if (name) calls[name] = (calls[name] ?? 0) + loops
      for (const part of parts) count(part)
    }
    count(row!['QUERY PLAN'][0].Plan)
    return calls
  })
}

const limit = 100
const period = { first: 1_790_000_000, end: 1_795_000_000 }
/** About half of the clients come after this id. */
const after = '80000000-0000-0000-0000-000000000000'
const nextOf = async (path: string): Promise<string> =>
  (await agency.get(`${path}limit=${limit}`)).body.pagination.next_cursor

// A search also reads the name of each client once.
const lists: [string, number, (org: Org, cursors: Cursors) => Promise<unknown>][] = [
  ['the first page', 101, (org, cursors) => listClientUsage(org, cursors, { limit, q: undefined })],
  [
    'the second page',
    101,
    async (org, cursors) =>
      listClientUsage(org, cursors, { limit, q: undefined, cursor: await nextOf('/agency/usage?') }),
  ],
  ['a search', 1_101, (org, cursors) => listClientUsage(org, cursors, { limit, q: 'client' })],
  [
    'the second page of a search',
    1_101,
    async (org, cursors) =>
      listClientUsage(org, cursors, { limit, q: 'client', cursor: await nextOf('/agency/usage?q=client&') }),
  ],
  ['a piece of the export', 101, (org) => readUsageAfter(org, period, null, 101)],
  ['a later piece of the export', 101, (org) => readUsageAfter(org, period, after, 101)],
]

describe.each(['force_custom_plan', 'force_generic_plan'])('with %s', (mode) => {
  test.each(lists)(
    '%s of the usage of 1,000 clients computes the usage of its own clients only',
    async (_name, names, list) => {
      const calls = await callsOf(await statementOf(list), mode)
      expect(calls).toEqual({ client_of_agency: names, usage_of_client: 101 })
    },
  )

  test('a page of 1,000 clients reads the names of its own clients only', async () => {
    for (const path of [null, '/agency/clients?']) {
      const cursor = path === null ? {} : { cursor: await nextOf(path) }
      const list = await statementOf((org, cursors) => listClients(org, cursors, { limit, ...cursor }))
      expect(await callsOf(list, mode)).toEqual({ client_of_agency: 101 })
    }
  })
})
