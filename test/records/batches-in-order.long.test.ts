import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { countDeadlocks } from '../support/deadlocks.ts'
import { runs } from '../support/runs.ts'

const app = await startTestApp()
afterAll(() => app.close())

const batch = (org: TestOrg, items: unknown[], path = '/contacts') => org.post(`${path}/batch`, { items })

const email = fc.constantFrom('a@x.example', 'b@x.example', 'C@x.example', 'c@x.example')
const fields = {
  email: fc.option(email),
  emails: fc.array(email, { maxLength: 2 }),
  external_ids: fc.constantFrom('1', '2').map((crm) => ({ crm })),
  city: fc.constantFrom('Rome', 'Oslo', ''),
  tags: fc.array(fc.constantFrom('t', 'u'), { maxLength: 2 }),
  custom: fc.constantFrom({}, { plan: 'pro' }, { plan: null, seats: 5 }),
}
const matchOn = fc.constantFrom('email', 'external_id')
const place = fc.nat({ max: 5 })
const version = fc.integer({ min: 1, max: 4 })
const item = fc.oneof(
  fc.record({ ...fields, match_on: matchOn }, { requiredKeys: [] }),
  fc.record({ ...fields, contact_id: place, version }, { requiredKeys: ['contact_id'] }),
  fc.record(
    { contact_id: place, action: fc.constantFrom('archive', 'restore'), version },
    { requiredKeys: ['contact_id', 'action'] },
  ),
)

/** An organization with six contacts, two of which are merged into others. */
async function start(): Promise<{ org: TestOrg; ids: string[] }> {
  const org = await app.newOrg()
  const people = ['a', 'b', 'c', 'd', 'b', 'e'].map((name, at) => ({
    ...{ emails: [`${name}@x.example`], first_name: `P${at}`, tags: [`p${at}`] },
    ...(at < 3 ? { external_ids: { crm: `${at}` } } : {}),
  }))
  const { data } = (await batch(org, people)).body
  const ids: string[] = data.map((each: { contact_id: string }) => each.contact_id)
  for (const [survivor, loser] of [
    [1, 4],
    [0, 5],
  ] as const) {
    const merge = { entity_type: 'contact', survivor_id: ids[survivor], loser_ids: [ids[loser]] }
    await org.post('/duplicates/merge', merge)
  }
  return { org, ids }
}

const placed = (ids: readonly string[], item: object) =>
  'contact_id' in item ? { ...item, contact_id: ids[item.contact_id as number] } : item

/** All contacts of an organization, with the index in `contactIds` in place of each id. */
async function seen(org: TestOrg, contactIds: readonly string[]) {
  const lists = await Promise.all(
    ['', '&archived=true'].map(async (query) => (await org.get(`/contacts?limit=100${query}`)).body.data),
  )
  const rows = lists.flatMap((list, archived) =>
    list.map(({ created_at: _, updated_at: __, archived_at: ___, ...rest }: Record<string, unknown>) => ({
      ...rest,
      archived,
    })),
  )
  return JSON.parse(
    JSON.stringify(rows.toReversed(), (_key, value) => {
      const at = contactIds.indexOf(value)
      return at === -1 ? value : at
    }),
  )
}

test('a batch of creates, upserts, changes and actions has the same results as single requests with its items', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 12 }), async (items) => {
      const [whole, single] = [await start(), await start()]
      const withIds = (ids: readonly string[]) => items.map((each) => placed(ids, each))
      const outcomes = (await batch(whole.org, withIds(whole.ids))).body.data
      const singly = []
      for (const each of withIds(single.ids)) singly.push((await batch(single.org, [each])).body.data[0])
      type Outcome = { outcome: string; contact_id?: string; code?: string; version?: number }
      const outcomesOf = (all: Outcome[], ids: string[]) =>
        all.map(({ outcome, contact_id = '', code, version }) => {
          if (outcome === 'created') ids.push(contact_id)
          return [outcome, code, version, ids.indexOf(contact_id)]
        })
      expect(outcomesOf(outcomes, whole.ids)).toEqual(outcomesOf(singly, single.ids))
      expect(await seen(whole.org, whole.ids)).toEqual(await seen(single.org, single.ids))
    }),
    { numRuns: runs(6, 15) },
  )
})

const shuffled = <Each>(all: readonly Each[]): Each[] =>
  all
    .map((each) => [Math.random(), each] as const)
    .sort(([a], [b]) => a - b)
    .map(([, each]) => each)

test('concurrent batches with the same ids, keys and references in different orders do not deadlock', async () => {
  const org = await app.newOrg()
  const numbers = Array.from({ length: 60 }, (_, n) => n)
  const people = numbers.map((n) => ({ email: `p${n}@x.example`, first_name: `P${n}` }))
  const contacts = (await batch(org, people)).body.data
  const names = numbers.map((n) => ({ name: `Company ${n}` }))
  const companies = (await batch(org, names, '/companies')).body.data
  const writes = Array.from({ length: 3 }, (_, round) => [
    batch(
      org,
      shuffled(numbers).map((n) => ({
        ...{ contact_id: contacts[n].contact_id, city: `City ${round}` },
        company_id: companies[(n * 7 + round) % 60].company_id,
      })),
    ),
    batch(
      org,
      shuffled(numbers).map((n) => ({ match_on: 'email', email: `p${n}@x.example`, region: `R${round}` })),
    ),
    batch(
      org,
      shuffled(numbers).map((n) => ({ company_id: companies[n].company_id, city: `City ${round}` })),
      '/companies',
    ),
    batch(
      org,
      shuffled(numbers).map((n) => ({ company_id: companies[n].company_id, region: `R${round}` })),
      '/companies',
    ),
  ])
  for (const { status, body } of await Promise.all(writes.flat())) {
    expect(status).toBe(200)
    for (const { outcome } of body.data) expect(outcome).toBe('updated')
  }
  for (const path of ['/contacts', '/companies'])
    for (const { version } of (await org.get(`${path}?limit=100`)).body.data) expect(version).toBe(7)
  expect(await countDeadlocks(app)).toBe(0)
})
