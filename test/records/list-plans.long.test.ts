import { escapeLiteral } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { contacts } from '../../src/contacts/contacts.ts'
import { deals } from '../../src/deals/deals.ts'
import { listEvents } from '../../src/events/events.ts'
import type { Caller } from '../../src/platform/caller.ts'
import type { Org } from '../../src/platform/db/org.ts'
import type { Statement } from '../../src/platform/db/statement.ts'
import { equalityFilter } from '../../src/records/filters/tree.ts'
import { insertRecords } from '../../src/records/insert.ts'
import { listRecords, listWithLimits, type RecordQuery } from '../../src/records/list-records.ts'
import type { RecordType } from '../../src/records/record-type.ts'
import { listTasks } from '../../src/tasks/list-tasks.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'

const app = await startTestApp({ role: 'api' })
afterAll(() => app.close())

const size = 8_000
const { database, cursors } = app.app.context
const surroundings = { defaultCountry: 'US' }
let org: TestOrg
let companyId: string
let contactId: string
let reasonId: string

beforeAll(async () => {
  org = await app.newOrg()
  companyId = (await org.post('/companies', { name: 'Acme' })).body.data.company_id
  const people: string[] = []
  for (let start = 0; start < size; start += 4_000) {
    const states = Array.from({ length: 4_000 }, (_, index) => {
      const n = start + index
      const fields = {
        first_name: `First${n % 1_000}`,
        last_name: `Last${n}`,
        email: `p${n}@x.example`,
        phone: `+1415555${String(n % 10_000).padStart(4, '0')}`,
        tags: n % 2 ? ['half', `t${n % 100}`] : [`t${n % 100}`],
      }
      const state = contacts.apply(null, fields, surroundings, false)
      return { ...state, ...(n % 50 ? {} : { company_raw_id: companyId, company_id: companyId }) }
    })
    people.push(...(await database.org(org.orgId).transact((tx) => insertRecords(tx, contacts, states))))
  }
  contactId = people[7]!
  reasonId = (await org.get('/deals/close-reasons')).body.data.close_reasons[0].close_reason_id
  const stages = ['New', 'Qualified']
  for (let start = 0; start < size; start += 4_000) {
    const states = Array.from({ length: 4_000 }, (_, index) => {
      const n = start + index
      const linked = [people[n % 500]!]
      const fields = { name: `Deal${n}`, stage: stages[n % 2], tags: [`t${n % 100}`] }
      return {
        ...deals.apply(null, fields, { defaultCountry: null, stages }, false),
        ...(n % 50 ? {} : { company_raw_id: companyId, company_id: companyId }),
        ...{ contact_raw_ids: linked, contact_ids: linked },
        ...(n % 3 && { deal_status: 'won', closed_at: new Date(Date.now() - n * 3_600_000) }),
        ...(n % 60 === 1 && { close_reason_id: reasonId }),
      }
    })
    await database.org(org.orgId).transact((tx) => insertRecords(tx, deals, states))
  }
  await withClient(app, async (client) => {
    await client.query(
      `update contact set status = 'archived', archived_at = now() where hashtext(contact_id::text) % 20 = 0`,
    )
    await client.query(
      `update contact set updated_at = now() - (hashtext(contact_id::text) % 1000) * interval '1 day' where status = 'active'`,
    )
    await client.query(
      `insert into task (org_id, task_id, entity, record_raw_id, title, due_on, completed_at, created_at, updated_at)
       select $1, gen_random_uuid(), 'contact', $2, 'Call', date '2026-01-01' + n % 90, case when n % 50 > 0 then now() end, now(), now()
       from generate_series(1, 5000) as n`,
      [org.orgId, contactId],
    )
    await client.query(`update event set type = 'contact.updated' where hashtext(event_id::text) % 50 = 0`)
    // VACUUM must have marked pages as visible to all transactions: only then is an index-only count cheap. An old
    // open transaction delays this.
    await vi.waitFor(async () => {
      await client.query('vacuum analyze')
      const text = `select relallvisible >= relpages as is_visible from pg_class where relname = 'before_months'`
      expect((await client.query(text)).rows).toEqual([{ is_visible: true }])
    }, patience)
  })
})

const statementOf = async (list: (org: Org) => Promise<unknown>) => (await statementsOf(list)).at(-1)!

async function statementsOf(list: (org: Org) => Promise<unknown>): Promise<Statement<unknown>[]> {
  const sent: Statement<unknown>[] = []
  const real = database.org(org.orgId)
  const recording = {
    orgId: org.orgId,
    actor: real.actor,
    read: real.read.bind(real),
    readRows(statement: Statement<unknown>) {
      sent.push(statement)
      return real.readRows(statement)
    },
  }
  await list(recording as unknown as Org)
  return sent
}

/**
 * The plan with the app's role and row-level security, for these values (custom plan) or for any values (generic
 * plan).
 */
function planOf({ text, values }: Statement<unknown>, mode: string): Promise<string> {
  return database.org(org.orgId).transact(async (tx) => {
    await tx.run({ text: `set local plan_cache_mode = ${mode}`, values: [] })
    await tx.run({ text: `prepare planned as ${text}`, values: [] })
    const given =
      values.length > 0 ? `(${values.map((value) => escapeLiteral(String(value))).join(', ')})` : ''
    const rows = await tx.rows<Record<string, string>>({
      text: `explain execute planned${given}`,
      values: [],
    })
    await tx.run({ text: 'deallocate planned', values: [] })
    return rows.map((row) => Object.values(row)[0]).join('\n')
  })
}

const page = { limit: 25 } as const

/** A query in the form that the endpoint uses: filters are a tree. */
function asRead(query: Record<string, unknown>): object {
  const { page, q, archived, sort, updated_since: since, ...equal } = query
  const { tree, places } = equalityFilter(equal, ['query'])
  const changed =
    since === undefined ? [] : [{ field: 'updated_at', op: 'gte', value: since as number } as const]
  const rest = Object.entries({ page, q, archived, sort }).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(rest), filter: { tree: { and: [tree, ...changed] }, places } }
}

const lists: [string, () => Record<string, unknown>][] = [
  ['no filter', () => ({})],
  ['page', () => ({ page: 40 })],
  ['email', () => ({ email: 'p77@x.example' })],
  ['phone', () => ({ phone: '+14155550077' })],
  ['tag of half', () => ({ tag: 'half' })],
  ['tag', () => ({ tag: 't77' })],
  ['company_id', () => ({ company_id: companyId })],
  ['last_name', () => ({ last_name: 'Last77' })],
  ['q', () => ({ q: 'last77' })],
  ['q of two words', () => ({ q: 'first7 last77' })],
  ['updated_since', () => ({ updated_since: Math.floor(Date.now() / 1000) - 86_400 })],
  ['archived', () => ({ archived: true })],
  ['archived q', () => ({ archived: true, q: 'last77' })],
  ['email and tag', () => ({ email: 'p77@x.example', tag: 't77' })],
  ['tag and phone and company', () => ({ tag: 'half', phone: '+14155550077', company_id: companyId })],
  ['tag and q and updated_since', () => ({ tag: 't77', q: 'first77', updated_since: 1 })],
  ['external_id', () => ({ external_id: 'crm:77' })],
  ['sort by creation', () => ({ sort: 'created_at' })],
  ['sort by change', () => ({ sort: '-updated_at' })],
  [
    'sort by change, since a time',
    () => ({ sort: 'updated_at', updated_since: Math.floor(Date.now() / 1000) }),
  ],
  ['a tag, sorted by name', () => ({ tag: 't77', sort: 'name' })],
  ['contact_id', () => ({ contact_id: contactId })],
]

describe.each(['force_custom_plan', 'force_generic_plan'])(
  'with %s, no list reads the whole table',
  (mode) => {
    const prove = async (type: RecordType, query: Record<string, unknown>) => {
      for (const cursor of [false, true]) {
        const asked = { ...page, ...asRead(query) } as RecordQuery
        if (cursor) {
          const first = { ...asked, limit: 1 }
          const { pagination } = await listRecords(database.org(org.orgId), cursors, type, first)
          if (!pagination.next_cursor) continue
          // A request has a cursor or a page number, not both.
          delete asked.page
          asked.cursor = pagination.next_cursor
        }
        const statement = await statementOf((recording) => listRecords(recording, cursors, type, asked))
        const plan = await planOf(statement, mode)
        expect(plan).not.toMatch(new RegExp(`Seq Scan on ${type.entity}(_key|_contact)? `))
      }
    }

    test.each(lists)('a list of contacts by %s reads no whole table', (_, query) => prove(contacts, query()))

    test.each<[string, () => Record<string, unknown>]>([
      ['no filter', () => ({})],
      ['status', () => ({ status: 'open' })],
      ['stage', () => ({ stage: 'New' })],
      ['status and stage', () => ({ status: 'won', stage: 'New' })],
      ['company_id', () => ({ company_id: companyId })],
      ['contact_id', () => ({ contact_id: contactId })],
      ['close_reason_id', () => ({ close_reason_id: reasonId })],
      ['closed_since', () => ({ closed_since: Math.floor(Date.now() / 1000) - 86_400 })],
      ['tag', () => ({ tag: 't77' })],
      ['q', () => ({ q: 'deal77' })],
      ['archived', () => ({ archived: true })],
      ['contact_id and status', () => ({ contact_id: contactId, status: 'open' })],
    ])('a list of deals by %s reads no whole table', (_, query) => prove(deals, query()))

    test('a column of a board reads only the deals that it shows', async () => {
      const asked = {
        ...page,
        ...asRead({ status: 'open', stage: 'New', sort: '-updated_at' }),
      } as RecordQuery
      const statement = await statementOf((recording) => listRecords(recording, cursors, deals, asked))
      const plan = await planOf(statement, mode)
      expect(plan).toMatch(/Index Scan Backward using deal_board/)
      expect(plan).not.toMatch(/Sort Key: r\.updated_at/)
    })

    test.each([
      ['no filter', {}],
      ['type', { type: 'contact.updated' }],
      ['object_id', { object_id: '0190a000-0000-7000-8000-000000000000' }],
      ['created_since', { created_since: Math.ceil(Date.now() / 1000) + 60 }],
      ['type and created_since', { type: 'contact.updated', created_since: 1 }],
    ])('a list of events by %s reads no whole table', async (_, query) => {
      const asked = { ...page, ...query } as never
      const statement = await statementOf((recording) =>
        listEvents(recording, recording.orgId, cursors, asked),
      )
      expect(await planOf(statement, mode)).not.toMatch(/Seq Scan on before_months /)
    })

    test('a list of the open tasks of a record reads none of its completed tasks', async () => {
      const asked = { ...page, status: 'open', record_id: contactId } as const
      const caller = { memberId: null } as Caller
      const statement = await statementOf((recording) => listTasks(recording, caller, cursors, asked))
      expect(await planOf(statement, mode)).toMatch(/Index Only Scan using task_open_of_record/)
    })
  },
)

test('the filter q uses the index of words', async () => {
  await withClient(app, async (client) => {
    const { rows } = await client.query(`select prosrc from pg_proc where proname = 'search_contacts'`)
    await client.query(`select set_config('app.org_id', $1, false)`, [org.orgId])
    const literal = (
      await statementOf((recording) => listRecords(recording, cursors, contacts, { ...page, q: 'last77' }))
    ).values[1]
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`)
      await client.query(`prepare searching(text) as ${rows[0].prosrc.replaceAll(/\bquery\b/g, '$1')}`)
      const plan = await client.query(`explain execute searching(${escapeLiteral(String(literal))})`)
      await client.query('deallocate searching')
      expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Scan on contact_search/)
    }
  })
})

// PostgreSQL alone would plan these again for each use: it expects less work for a small organization than for an average one.
test.each<[string, (org: Org) => Promise<unknown>]>([
  ['contacts without a filter', (small) => listOnce(small, contacts, {})],
  ['contacts by email', (small) => listOnce(small, contacts, { email: 'p77@x.example' })],
  ['contacts by tag', (small) => listOnce(small, contacts, { tag: 't77' })],
  ['deals without a filter', (small) => listOnce(small, deals, {})],
  ['deals by tag', (small) => listOnce(small, deals, { tag: 't77' })],
  ['deals by stage', (small) => listOnce(small, deals, { stage: 'New' })],
  [
    'deals of a column of a board',
    (small) => listOnce(small, deals, { status: 'open', stage: 'New', sort: '-updated_at' }),
  ],
  ['deals by status', (small) => listOnce(small, deals, { status: 'open' })],
  ['events', (small) => listEvents(small, small.orgId, cursors, page)],
  [
    'events of an object',
    (small) => listEvents(small, small.orgId, cursors, { ...page, object_id: companyId }),
  ],
])('a connection plans a list of %s once, also for a small organization', async (_, list) => {
  const small = database.org((await app.newOrg()).orgId)
  const { text } = await statementOf(list)
  const plans = async () => {
    const counted = `select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements where statement = $1`
    const [plan] = await small.readRows<{ custom: number; generic: number }>({
      text: counted,
      values: [text],
    })
    return plan ?? { custom: 0, generic: 0 }
  }
  // An earlier test may have read the list without planning it once.
  const before = await plans()
  for (let use = 0; use < 8; use++) await list(small)
  const after = await plans()
  expect(after.custom - before.custom).toBeLessThan(3)
  expect(after.generic - before.generic).toBeGreaterThan(5)
})

test.each([contacts, deals])('a list of $entity records by a tag counts no keys', async (type) => {
  const sent = await statementsOf((recording) => listOnce(recording, type, { tag: 't77' }))
  expect(sent.map(({ text }) => text).filter((text) => text.includes('count(*)'))).toEqual([])
})

const listOnce = (org: Org, type: RecordType, query: Record<string, unknown>) =>
  listWithLimits(org.orgId, org, cursors, type, { ...page, ...asRead(query) } as RecordQuery)
