import { escapeLiteral } from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { recordStatements, type SentStatement } from '../../bench/endpoints/capture.ts'
import { type Case, recordCases } from '../../bench/endpoints/cases.ts'
import { otherCases } from '../../bench/endpoints/other-cases.ts'
import { elementsOf } from '../../bench/endpoints/program.ts'
import { addToPool, requestOf } from '../../bench/endpoints/requests.ts'
import { Pools, type Subject } from '../../bench/endpoints/subject.ts'
import { prepareSubjects } from '../../bench/endpoints/subjects.ts'
import { fillOrg } from '../../bench/support/fill.ts'
import { startTestApp } from '../support/app.ts'
import { cloneDatabase } from '../support/database.ts'
import { withClientOf } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'

const size = 20_000
// Record from before the start of the server, so that all connections are covered.
const recorded = recordStatements()
const app = await startTestApp({ role: 'api' })
const database = new URL(app.databaseUrl).pathname.slice(1)
const statements = new Map<string, { sent: SentStatement; cases: Set<string>; grows: boolean }>()
let orgId: string

afterAll(async () => {
  await app.close({ leavesJobs: true })
  recorded.close()
})

async function exercise(each: Case, subject: Subject): Promise<void> {
  await each.prepare?.(subject)
  const asked = requestOf(each, subject.pools, subject)
  if (!asked) throw new Error(`Nothing to ask ${each.endpoint} for`)
  recorded.start()
  const { method, headers, body } = asked
  const answer = await fetch(`${app.address}${asked.path}`, { method, headers, ...(body ? { body } : {}) })
  const text = await answer.text()
  const name = `${each.endpoint} ${each.query?.(subject.pools) ?? ''}`
  expect([name, answer.status < 300 ? 'good' : text]).toEqual([name, 'good'])
  addToPool(each, asked, subject.pools, text)
  for (const sent of recorded.stop()) {
    // This statement belongs to the server of another test file.
    if (sent.database !== database || each.readsAll) continue
    const known = statements.get(sent.text) ?? { sent, cases: new Set(), grows: true }
    known.cases.add(name)
    known.grows &&= each.grows !== undefined
    statements.set(sent.text, known)
  }
}

beforeAll(async () => {
  const org = await app.newOrg()
  const agency = await app.newOrg({ isAgency: true, key: { isAgency: true } })
  orgId = org.orgId
  await fillOrg(app.databaseUrl, { size, orgId })
  // VACUUM must have marked pages as visible to all transactions: only then is an index-only count cheap. An old open
  // transaction delays this.
  await withClientOf(app.databaseUrl, (client) =>
    vi.waitFor(async () => {
      await client.query('vacuum analyze')
      const text = 'select relname from pg_class where relname = any($1) and relallvisible < relpages'
      expect((await client.query(text, [[...big]])).rows).toEqual([])
    }, patience),
  )
  const subject = {
    ...{ size, orgId, url: app.databaseUrl, token: org.token!, agencyToken: agency.token! },
    pools: new Pools(size),
  } as Subject
  await prepareSubjects(subject)
  const cases = [...recordCases, ...otherCases]
  for (const each of cases) {
    await exercise(each, subject)
    const more = each.endpoint === 'POST /contacts' ? 30 : each.makes ? 2 : 0
    for (let n = 0; n < more; n++) await exercise(each, subject)
  }
})

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Plan Rows': number
  Plans?: Plan[]
}

// Check large tables only: for a table of a few pages, a scan is the best plan.
const big = new Set([
  'contact',
  'contact_key',
  'match_key',
  'company',
  'deal',
  'deal_contact',
  // The first partition of the event log.
  'before_months',
  'call',
])

/** The parts of a plan that read a large table without an index, or from start to end. */
function faultsOf(plan: Plan, limited = false): string[] {
  const {
    'Node Type': kind,
    'Relation Name': table,
    'Index Name': index,
    'Plan Rows': rows,
    Plans: parts = [],
  } = plan
  // The planner does not know that the index of running calls is small.
  const all = !limited && rows > 900 && index !== 'call_slot'
  const own =
    table && big.has(table) && kind.includes('Scan') && (kind === 'Seq Scan' || all)
      ? [`${kind} on ${table}`]
      : []
  return [...own, ...parts.flatMap((part) => faultsOf(part, limited || kind === 'Limit'))]
}

function literalOf(value: unknown): string {
  if (value === null) return 'null'
  const array = elementsOf(value)
  if (array) return escapeLiteral(`{${array.texts.join(',')}}`)
  return escapeLiteral(Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value))
}

function faults(url: string, mode: string, seqScansAlone: boolean): Promise<string[]> {
  return withClientOf(url, async (client) => {
    await client.query(`select set_config('app.org_id', $1, false)`, [orgId])
    await client.query(`set plan_cache_mode = ${mode}`)
    const found: string[] = []
    for (const { sent, cases, grows } of statements.values()) {
      if (!/^\s*(select|insert|update|delete|with)/.test(sent.text)) continue
      await client.query(`set role ${sent.role}`)
      await client.query(`prepare planned as ${sent.text}`)
      const values = sent.values.map(literalOf)
      const { rows } = await client.query(
        `explain (format json) execute planned${values.length > 0 ? `(${values.join(', ')})` : ''}`,
      )
      await client.query('deallocate planned')
      const all = faultsOf(rows[0]['QUERY PLAN'][0].Plan)
      const counted = grows || seqScansAlone ? all.filter((fault) => fault.startsWith('Seq')) : all
      if (counted.length > 0)
        found.push(
          `${[...cases][0]}: ${counted.join(', ')} in ${sent.text.replaceAll(/\s+/g, ' ').slice(0, 300)}`,
        )
    }
    return found
  })
}

test.each(['force_custom_plan', 'force_generic_plan'])(
  'with %s, no endpoint scans a whole large table',
  async (mode) => {
    expect(statements.size).toBeGreaterThan(150)
    expect(await faults(app.databaseUrl, mode, false)).toEqual([])
  },
)

test('no endpoint scans a whole large table with a plan that was made while the tables were empty', async () => {
  const empty = await cloneDatabase(inject('databaseUrl'))
  expect(await faults(empty.url, 'force_generic_plan', true)).toEqual([])
  await empty.drop()
})
