import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { runs } from '../support/runs.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const path = '/deals/close-reasons'
type Reason = {
  close_reason_id: string
  label: string
  outcome: string
  position: number | null
  version: number
}

const list = async (org: TestOrg, query = ''): Promise<Reason[]> => {
  const { status, body, text } = await org.get(path + query)
  expect(status, text).toBe(200)
  expect(body.pagination).toBeNull()
  return body.data.close_reasons
}
const labels = async (org: TestOrg, query = '') => (await list(org, query)).map(({ label }) => label)
const create = async (org: TestOrg, body: object): Promise<Reason> => {
  const answer = await org.post(path, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}
const usual = [
  ...['Good fit', 'Good price', 'Existing relationship', 'Price too high', 'Chose a competitor'],
  ...['No budget', 'No decision', 'Missing feature', 'Bad timing', 'Other'],
]

test('a close reason can be read by its id, even if it is archived', async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const made = await create(org, { label: 'Went elsewhere' })
  const read = () => org.get(`${path}/${made.close_reason_id}`)
  expect((await read()).body.data).toEqual(made)
  expect((await read()).headers.get('etag')).toBe('"1"')
  const archived = await org.post(`${path}/${made.close_reason_id}/archive`)
  expect((await read()).body.data).toEqual(archived.body.data)
  expect((await other.get(`${path}/${made.close_reason_id}`)).status).toBe(404)
})

describe('defaults', () => {
  const proveReady = async (org: TestOrg, headers: Record<string, string> = {}) => {
    const reasons = (await org.get(path, { headers })).body.data.close_reasons as Reason[]
    expect(reasons.map(({ label }) => label)).toEqual(usual)
    expect(reasons.map(({ position }) => position)).toEqual(usual.map((_, index) => index + 1))
    expect(new Set(reasons.map(({ close_reason_id }) => close_reason_id)).size).toBe(usual.length)
    for (const { close_reason_id } of reasons) expect(close_reason_id).toMatch(/^[0-9a-f-]{14}7/)
    expect((await org.get('/deals/stages', { headers })).body.data).toEqual({
      stages: ['New', 'Qualified', 'Proposal', 'Negotiation'],
      version: 1,
    })
  }

  test('a new org has close reasons and stages if an operator command creates it', async () =>
    proveReady(await app.newOrg()))

  test('a new org has close reasons and stages if an agency creates it as a client', async () => {
    const agency = await app.newAgency()
    const { org_id } = (await agency.post('/agency/clients', { name: 'Northwind' })).body.data
    await proveReady(agency, { 'x-target-org-id': org_id })
  })

  test('the migration for deals adds close reasons and stages to existing orgs, and a second run changes nothing', async () => {
    const org = await app.newOrg()
    await withClient(app, async (client) => {
      await client.query('delete from close_reason where org_id = $1', [org.orgId])
      await client.query('delete from deal_pipeline where org_id = $1', [org.orgId])
      await client.query('select app.prepare_deals(org_id) from org')
      await client.query('select app.prepare_deals(org_id) from org')
    })
    await proveReady(org)
  })
})

describe('GET /deals/close-reasons', () => {
  test('the ordered list of close reasons can be filtered by outcome and by archived', async () => {
    const org = await app.newOrg()
    const [first] = await list(org)
    await org.post(`${path}/${first!.close_reason_id}/archive`)
    expect(await labels(org)).toEqual(usual.slice(1))
    expect(await labels(org, '?archived=true')).toEqual(['Good fit'])
    expect(await labels(org, '?outcome=won')).toEqual(['Good price', 'Existing relationship', 'Other'])
    expect(await labels(org, '?outcome=won&archived=1')).toEqual(['Good fit'])
    expect(await labels(org, '?outcome=lost&archived=true')).toEqual([])
    expect(await labels(org, '?outcome=any')).toEqual(['Other'])
    expect((await org.get(`${path}?outcome=none&archived=x`)).body.detail).toMatchObject([
      { loc: ['query', 'archived'] },
      { loc: ['query', 'outcome'] },
    ])
  })
})

describe('the life of a close reason', () => {
  test('a close reason is created, changed, archived and restored, each with its event', async () => {
    const org = await app.newOrg()
    const reason = await create(org, { label: ' In-house ', outcome: 'lost', position: 2 })
    expect(reason).toEqual({
      ...{ close_reason_id: expect.any(String), label: 'In-house', outcome: 'lost', position: 2, version: 1 },
      ...{ created_at: expect.any(Number), updated_at: expect.any(Number), archived_at: null },
    })
    const own = `${path}/${reason.close_reason_id}`
    const changed = await org.patch(own, { label: 'Built it', outcome: 'any', position: 999 })
    expect(changed.body.data).toMatchObject({ label: 'Built it', outcome: 'any', position: 11, version: 2 })
    expect(changed.headers.get('etag')).toBe('"2"')
    expect((await org.patch(own, { label: 'Built it', position: 500 })).body.data).toEqual(changed.body.data)
    const archived = await org.post(`${own}/archive`)
    expect(archived.body.data).toMatchObject({ position: null, version: 3, archived_at: expect.any(Number) })
    expect((await org.post(`${own}/archive`)).body.data).toEqual(archived.body.data)
    const refused = await org.patch(own, { label: 'Again' })
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('restore')])
    const restored = await org.post(`${own}/restore`)
    expect(restored.body.data).toMatchObject({ position: 11, version: 4, archived_at: null })
    expect((await org.post(`${own}/restore`)).body.data).toEqual(restored.body.data)
    const events = (await org.get(`/events?object_id=${reason.close_reason_id}`)).body.data
    expect(events.map(({ type, changed }: { type: string; changed: unknown }) => [type, changed])).toEqual([
      ['close_reason.restored', null],
      ['close_reason.archived', null],
      ['close_reason.updated', ['label', 'outcome', 'position']],
      ['close_reason.created', null],
    ])
  })

  test('POST /deals/close-reasons gets 422 without a label, with an unknown outcome, or with position 0', async () => {
    const org = await app.newOrg()
    const { body } = await org.post(path, { label: ' ', outcome: 'open', position: 0 })
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['label', 'outcome', 'position'])
    expect(await create(org, { label: 'Plain' })).toMatchObject({ outcome: 'any', position: 11 })
  })

  test('a close reason beyond the 500th gets 409', async () => {
    const org = await app.newOrg()
    await withClient(app, (client) =>
      client.query(
        `insert into close_reason (org_id, close_reason_id, label, outcome, position)
         select $1, gen_random_uuid(), 'More', 'any', n from generate_series(11, 499) as n`,
        [org.orgId],
      ),
    )
    const { close_reason_id } = await create(org, { label: 'Last' })
    await org.post(`${path}/${close_reason_id}/archive`)
    expect((await org.post(path, { label: 'One more' })).status).toBe(409)
  })
})

/** The model computes the expected labels after each step. */
type Step = { act: 'create' | 'move' | 'archive' | 'restore'; at: number; to: number | undefined }
const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom('create', 'move', 'archive', 'restore'),
  at: fc.nat(20),
  to: fc.option(fc.integer({ min: 1, max: 14 }), { nil: undefined }),
})

test('after any change of close reasons, their positions are 1 to n, and the other reasons keep their order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const org = await app.newOrg()
      const ids = new Map((await list(org)).map((each) => [each.label, each.close_reason_id]))
      let order = [...usual]
      let archived: string[] = []
      for (const [index, { act, at, to }] of steps.entries()) {
        const from = act === 'restore' ? archived : order
        const label = act === 'create' ? `New ${index}` : from[at % Math.max(from.length, 1)]
        if (label === undefined) continue
        const rest = order.filter((each) => each !== label)
        const place = (position: number) => rest.toSpliced(position - 1, 0, label)
        const own = `${path}/${ids.get(label)}`
        if (act === 'create') {
          ids.set(label, (await create(org, { label, position: to })).close_reason_id)
          order = place(to ?? rest.length + 1)
        } else if (act === 'move') {
          await org.patch(own, { position: to })
          if (to) order = place(to)
        } else if (act === 'archive') {
          await org.post(`${own}/archive`)
          order = rest
          archived = [...archived, label]
        } else {
          await org.post(`${own}/restore`)
          order = [...rest, label]
          archived = archived.filter((each) => each !== label)
        }
        const shown = await list(org)
        expect(shown.map((each) => each.label)).toEqual(order)
        expect(shown.map(({ position }) => position)).toEqual(order.map((_, n) => n + 1))
      }
    }),
    { numRuns: runs(3, 15) },
  )
})

test('many concurrent changes of close reasons all take effect, and no position occurs twice', async () => {
  const org = await app.newOrg()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => org.post(path, { label: `New ${n}`, position: 1 + (n % 5) })),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  const shown = await list(org)
  expect(shown.map(({ position }) => position)).toEqual(shown.map((_, index) => index + 1))
  expect(shown).toHaveLength(30)
  expect(shown.map(({ label }) => label).filter((label) => usual.includes(label))).toEqual(usual)
})

test('closing a deal with a reason while the reason is archived either succeeds or gets 400', async () => {
  const org = await app.newOrg()
  for (let round = 0; round < 10; round++) {
    const { close_reason_id } = await create(org, { label: `Round ${round}` })
    const deal = `/deals/${(await org.post('/deals', { name: 'D' })).body.data.deal_id}`
    const [closed, archived] = await Promise.all([
      org.post(`${deal}/close`, { status: 'won', close_reason_id }),
      org.post(`${path}/${close_reason_id}/archive`),
    ])
    expect(archived.status).toBe(200)
    expect([200, 400]).toContain(closed.status)
    expect((await org.get(deal)).body.data.status).toBe(closed.status === 200 ? 'won' : 'open')
  }
})
