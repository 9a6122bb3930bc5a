import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { TotalsFolder } from '../../src/platform/db/fold-totals.ts'
import { system } from '../../src/platform/db/system.ts'
import { recordTotals } from '../../src/records/totals.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { reasonFor } from '../support/deals.ts'
import { withClient } from '../support/direct-sql.ts'
import { newMember } from '../support/members.ts'
import { runs } from '../support/runs.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const scope = system(app.app.context.database)
const fold = () => new TotalsFolder(scope, recordTotals).fold()

const totalOf = async (org: TestOrg, path: string, filter = '') =>
  (await org.get(`${path}?limit=1&${filter}`)).body.pagination.total as number

async function rows(org: TestOrg, text: string): Promise<number> {
  const [row] = await app.operate((tx) => tx.rows<{ n: number }>({ text, values: [org.orgId] }))
  return row!.n
}

const deltas = (org: TestOrg) => rows(org, 'select count(*) as n from record_delta where org_id = $1')
const counted = (org: TestOrg, table: string) =>
  rows(
    org,
    `select count(*) as n from ${table} where org_id = $1 ${table === 'event' ? '' : `and status = 'active'`}`,
  )

/** A writer's action. `pick` selects the record. */
const step = fc.record({
  act: fc.constantFrom(
    'create',
    'create',
    'archive',
    'restore',
    'erase',
    'change',
    'upsert',
    'batch',
    'company',
  ),
  pick: fc.nat(20),
  size: fc.integer({ min: 1, max: 6 }),
})
type Step = { act: string; pick: number; size: number }

async function take(org: TestOrg, mine: string[], { act, pick, size }: Step): Promise<void> {
  const id = mine[pick % Math.max(mine.length, 1)]
  const path = `/contacts/${id}`
  if (act === 'create') mine.push((await org.post('/contacts', { first_name: 'A' })).body.data.contact_id)
  else if (act === 'company') await org.post('/companies', { name: 'Acme' })
  else if (act === 'upsert') {
    const { data } = (await org.post('/contacts/upsert', { match_on: 'email', email: `${pick}@x.example` }))
      .body
    mine.push(data.contact_id)
  } else if (act === 'batch') {
    const items = Array.from({ length: size }, (_, n) => (n === 2 ? {} : { first_name: `B${n}` }))
    for (const { contact_id } of (await org.post('/contacts/batch', { items })).body.data) {
      if (contact_id) mine.push(contact_id)
    }
  } else if (id === undefined) return
  else if (act === 'archive') await org.delete(path)
  else if (act === 'change') await org.patch(path, { city: `${size}` })
  else await org.post(`${path}/${act}`)
}

test('after concurrent writes, each total equals the number of records, before and after totals are folded', async () => {
  const writer = fc.array(step, { minLength: 1, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(writer, { minLength: 2, maxLength: 5 }),
      fc.boolean(),
      async (writers, folding) => {
        const org = await app.newOrg()
        const exact = async () => {
          for (const [path, table] of [
            ['/contacts', 'contact'],
            ['/companies', 'company'],
            ['/events', 'event'],
          ] as const) {
            const total = await totalOf(org, path)
            expect([path, total]).toEqual([path, await counted(org, table)])
          }
        }
        const work = writers.map(async (steps) => {
          const mine: string[] = []
          for (const each of steps) await take(org, mine, each)
        })
        let writing = true
        const folder = (async () => {
          while (folding && writing) await Promise.all([fold(), fold()])
        })()
        await Promise.all(work)
        writing = false
        await folder
        await exact()
        await Promise.all([fold(), fold(), fold()])
        expect(await deltas(org)).toBe(0)
        await exact()
      },
    ),
    { numRuns: runs(3, 15) },
  )
})

const tags = ['lead', 'Müller & Söhne', 'vip']
const stages = ['New', 'Offer']

/** A change of contacts or deals that moves a total of a filter. `tagged` selects tags by its bits. */
const filteredStep = fc.record({
  act: fc.constantFrom(
    'create',
    'tag',
    'archive',
    'restore',
    'erase',
    'merge',
    'unmerge',
    'deal',
    'move',
    'close',
  ),
  pick: fc.nat(20),
  other: fc.nat(20),
  tagged: fc.integer({ min: 0, max: 7 }),
})

test('the total of a list with one filter equals the number of records in it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(filteredStep, { minLength: 5, maxLength: 25 }), async (steps) => {
      const org = await app.newOrg()
      await org.send('PUT', '/deals/stages', { body: { stages } })
      const reason = await reasonFor(org, 'lost')
      const owner_id = (await newMember(app, org.orgId, 'member')).memberId
      const people: string[] = []
      const opportunities: string[] = []
      const merges: string[] = []
      const pick = (from: string[], n: number) => from[n % Math.max(from.length, 1)]
      for (const { act, pick: n, other, tagged } of steps) {
        const chosen = tags.filter((_, bit) => tagged & (1 << bit))
        const [person, deal] = [pick(people, n), pick(opportunities, n)]
        const stage = stages[other % stages.length]
        if (act === 'create')
          people.push(
            (await org.post('/contacts', { first_name: 'A', tags: chosen, ...(other % 2 && { owner_id }) }))
              .body.data.contact_id,
          )
        else if (act === 'deal')
          opportunities.push((await org.post('/deals', { name: 'A', stage, tags: chosen })).body.data.deal_id)
        else if (act === 'move' && deal) await org.patch(`/deals/${deal}`, { stage })
        else if (act === 'close' && deal)
          await org.post(`/deals/${deal}/close`, { status: 'lost', close_reason_id: reason })
        else if (act === 'tag' && person) await org.patch(`/contacts/${person}`, { tags: chosen })
        else if (act === 'archive' && person) await org.delete(`/contacts/${person}`)
        else if (act === 'merge') {
          const records = tagged & 1 ? people : opportunities
          const ids = { survivor_id: pick(records, n), loser_ids: [pick(records, other)] }
          const entity_type = tagged & 1 ? 'contact' : 'deal'
          const { body } = await org.post('/duplicates/merge', { entity_type, ...ids })
          for (const { merge_id } of body.data?.merges ?? []) merges.push(merge_id)
        } else if (act === 'unmerge') {
          if (merges.length > 0) await org.post(`/duplicates/undo-merge/${pick(merges, n)}`)
        } else if (person) await org.post(`/contacts/${person}/${act}`)
      }
      const filters = [
        ...tags.map((tag) => ['/contacts', { tag }] as const),
        ...tags.map((tag) => ['/deals', { tag }] as const),
        ['/contacts', { owner_id }] as const,
        ...stages.map((stage) => ['/deals', { stage }] as const),
        ...['open', 'lost', 'won'].map((status) => ['/deals', { status }] as const),
        ...stages.map((stage) => ['/deals', { status: 'open', stage, sort: '-updated_at' }] as const),
        ['/deals', { status: 'lost', stage: 'New', sort: '-updated_at' }] as const,
        ['/deals', { close_reason_id: reason }] as const,
      ]
      const exact = async () => {
        for (const [path, filter] of filters) {
          const { data, pagination } = (await org.get(`${path}?limit=100&${new URLSearchParams(filter)}`))
            .body
          expect([path, filter, pagination.total]).toEqual([path, filter, data.length])
        }
      }
      await exact()
      await fold()
      await exact()
    }),
    { numRuns: runs(3, 40) },
  )
})

test('migration 0092 counts the tags and stages of older records, and counts nothing twice', async () => {
  const org = await app.newOrg()
  const write = async () => {
    await org.post('/contacts/batch', {
      items: [
        { first_name: 'A', tags },
        { first_name: 'B', tags: ['vip'] },
      ],
    })
    await org.post('/deals', { name: 'A', tags: ['vip'] })
  }
  await write()
  await withClient(app, async (client) => {
    const forget = `delete from record_$ where org_id = '${org.orgId}' and (entity like '% tagged %' or entity like 'deal in %')`
    await client.query('begin; lock table record_total')
    for (const table of ['total', 'delta']) await client.query(forget.replace('$', table))
    await client.query('commit')
    expect(await totalOf(org, '/contacts', 'tag=vip')).toBe(0)
    await write()
    const migration = readFileSync('migrations/0092_count_tags_and_stages.sql', 'utf8')
    for (let run = 0; run < 2; run++) {
      await client.query(migration)
      const totals = ['/contacts tag=vip', '/contacts tag=lead', '/deals tag=vip', '/deals stage=New'].map(
        (each) => totalOf(org, ...(each.split(' ') as [string, string])),
      )
      expect(await Promise.all(totals)).toEqual([4, 2, 2, 2])
    }
  })
})

test('a write that is rolled back does not change a total', async () => {
  const org = await app.newOrg()
  await org.post('/contacts', { first_name: 'Ada' })
  const events = await totalOf(org, '/events')
  const failing = app.app.context.database.org(org.orgId).transact(async (tx) => {
    await tx.run({ text: `update contact set status = 'archived' where org_id = $1`, values: [org.orgId] })
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  expect([await totalOf(org, '/contacts'), await totalOf(org, '/events')]).toEqual([1, events])
})

test('a page and its total show the state of one moment, even while records are written and totals are folded', async () => {
  const org = await app.newOrg()
  let writing = true
  const write = async () => {
    for (let n = 0; n < 25; n++) {
      const { data } = (await org.post('/contacts', { first_name: 'A' })).body
      if (n % 2) await org.delete(`/contacts/${data.contact_id}`)
    }
  }
  const folder = (async () => {
    while (writing) await fold()
  })()
  const writers = Promise.all([write(), write()]).finally(() => {
    writing = false
  })
  let seen = 0
  while (writing) {
    const { data, pagination } = (await org.get('/contacts?limit=100')).body
    expect(pagination.total).toBe(data.length)
    seen++
  }
  await Promise.all([writers, folder])
  expect(seen).toBeGreaterThan(0)
  expect(await totalOf(org, '/contacts')).toBe(26)
})

test('each organization has its own totals', async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const events = await totalOf(org, '/events')
  await org.post('/contacts/batch', { items: [{ first_name: 'A' }, { first_name: 'B' }] })
  await other.post('/contacts', { first_name: 'C' })
  expect([await totalOf(org, '/contacts'), await totalOf(other, '/contacts')]).toEqual([2, 1])
  await fold()
  expect([await totalOf(org, '/contacts'), await totalOf(other, '/contacts')]).toEqual([2, 1])
  expect([await totalOf(org, '/companies'), await totalOf(org, '/events')]).toEqual([0, events + 2])
})
