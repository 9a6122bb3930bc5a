import { afterAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { createServer } from '../../src/platform/http/server.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const put = (org: TestOrg, stages: unknown, headers: Record<string, string> = {}) =>
  org.send('PUT', '/deals/stages', { body: { stages }, headers })
const newDeal = async (org: TestOrg, stage: string) =>
  (await org.post('/deals', { name: 'D', stage })).body.data.deal_id as string

describe('PUT /deals/stages', () => {
  test('the stages of deals are replaced together, in the order of the request', async () => {
    const org = await app.newOrg()
    const answer = await put(org, [' Lead ', 'Demo', 'New'])
    expect([answer.status, answer.body.data, answer.headers.get('etag')]).toEqual([
      200,
      { stages: ['Lead', 'Demo', 'New'], version: 2 },
      '"2"',
    ])
    expect((await put(org, ['Lead', 'Demo', 'New'])).body.data.version).toBe(2)
    expect((await org.get('/deals/stages')).body.data).toEqual(answer.body.data)
    expect((await org.post('/deals', { name: 'D' })).body.data.stage).toBe('Lead')
    const [event] = (await org.get('/events?type=deal_stages.updated')).body.data
    expect(event).toMatchObject({ object_id: org.orgId, changed: ['stages'] })
    const stale = await put(org, ['Lead'], { 'if-match': '"1"' })
    expect([stale.status, stale.body.detail]).toEqual([
      409,
      expect.stringMatching(/version 1\b.*version 2\b/),
    ])
  })

  test.each<[unknown, string]>([
    [[], 'too_short'],
    [Array.from({ length: 51 }, (_, n) => `S${n}`), 'too_long'],
    [['A', ' A'], 'value_error'],
    [['A', ''], 'string_too_short'],
    [['A', 'x'.repeat(101)], 'string_too_long'],
    [['A', 1], 'string_type'],
    ['A', 'list_type'],
    [undefined, 'missing'],
  ])('the stages of deals cannot be %j', async (stages, type) => {
    const org = await app.newOrg()
    const { status, body } = await put(org, stages)
    expect([status, body.detail[0].type]).toEqual([422, type])
  })

  test('an organization can have up to 50 stages of deals', async () => {
    const stages = Array.from({ length: 50 }, (_, n) => `Stage "${n}", {x}`)
    const org = await app.newOrg()
    expect((await put(org, stages)).body.data.stages).toEqual(stages)
    expect((await org.get(`/deals?stage=${encodeURIComponent(stages[7]!)}`)).body.data).toEqual([])
  })

  test('a stage with open deals cannot be removed: the 409 counts the open deals of each stage', async () => {
    const org = await app.newOrg()
    const [one, , archived, closed] = [
      await newDeal(org, 'Proposal'),
      await newDeal(org, 'Proposal'),
      await newDeal(org, 'Qualified'),
      await newDeal(org, 'Negotiation'),
    ]
    await org.delete(`/deals/${archived}`)
    await org.post(`/deals/${closed}/close`, { status: 'won' })
    const refused = await put(org, ['New'])
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining(
        'open deals: 1 open deal (1 archived) in "Qualified", 2 open deals in "Proposal"',
      ),
    ])
    expect((await put(org, ['New', 'Qualified', 'Proposal'])).status).toBe(200)
    const path = `/deals/${closed}`
    expect((await org.get(path)).body.data).toMatchObject({ stage: 'Negotiation', status: 'won' })
    expect((await org.patch(path, { name: 'Kept', stage: 'Negotiation' })).body.data.stage).toBe(
      'Negotiation',
    )
    expect((await org.post(`${path}/reopen`)).body.data).toMatchObject({ stage: 'New', status: 'open' })
    expect((await org.patch(`/deals/${one}`, { stage: 'Negotiation' })).status).toBe(422)
  })

  test('`moves` moves the open deals of removed stages, also archived and merged ones, and closed deals stay', async () => {
    const org = await app.newOrg()
    const [open, archived, closed, survivor, loser] = [
      await newDeal(org, 'Proposal'),
      await newDeal(org, 'Proposal'),
      await newDeal(org, 'Proposal'),
      await newDeal(org, 'Negotiation'),
      await newDeal(org, 'Proposal'),
    ]
    await org.delete(`/deals/${archived}`)
    await org.post(`/deals/${closed}/close`, { status: 'lost' })
    const sides = { entity_type: 'deal', survivor_id: survivor, loser_ids: [loser] }
    const merge = (await org.post('/duplicates/merge', sides)).body.data.merges[0].merge_id
    const body = {
      stages: ['New', 'Offer'],
      moves: [
        { from: 'Proposal', to: 'Offer' },
        { from: 'Negotiation', to: 'Offer' },
      ],
    }
    expect((await org.send('PUT', '/deals/stages', { body })).status).toBe(200)
    const stageOf = async (id: string) => (await org.get(`/deals/${id}`)).body.data.stage
    expect(await Promise.all([open, archived, closed, survivor].map(stageOf))).toEqual([
      ...['Offer', 'Offer', 'Proposal', 'Offer'],
    ])
    const [event] = (await org.get(`/events?type=deal.updated&object_id=${open}`)).body.data
    expect(event.changed).toEqual(['stage'])
    const summary = (await org.get('/deals/summary')).body.data
    expect(summary.open.find(({ stage }: { stage: string }) => stage === 'Offer').values[0].deals).toBe(2)
    await org.post(`/duplicates/undo-merge/${merge}`)
    const { stages } = (await org.get('/deals/stages')).body.data
    expect(stages).toContain(await stageOf(loser))
    expect(await stageOf(survivor)).toBe('Offer')
  })

  test.each([
    [{ from: 'New', to: 'Offer' }, 'from'],
    [{ from: 'Proposal', to: 'Nowhere' }, 'to'],
  ])('the move %j of deals is refused at `%s`', async (move, place) => {
    const org = await app.newOrg()
    const { status, body } = await org.send('PUT', '/deals/stages', {
      body: { stages: ['New', 'Offer'], moves: [move] },
    })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'moves', 0, place]])
  })

  test('a deal may only be in one of the stages of the organization', async () => {
    const org = await app.newOrg()
    for (const stage of ['new', 'Unknown', '']) {
      const { status, body } = await org.post('/deals', { name: 'D', stage })
      expect([status, body.detail[0].loc]).toEqual([422, ['body', 'stage']])
    }
    const { body } = await org.post('/deals', { name: 'D', stage: 'Nowhere' })
    expect(body.detail[0]).toMatchObject({
      type: 'literal_error',
      msg: `Input should be 'New', 'Qualified', 'Proposal' or 'Negotiation'`,
    })
  })

  test('after a stage is removed while deals move into it, no open deal is in that stage', async () => {
    const org = await app.newOrg()
    for (let round = 0; round < 8; round++) {
      await put(org, ['New', 'Demo'])
      const writes = Array.from({ length: 5 }, () => org.post('/deals', { name: 'D', stage: 'Demo' }))
      const [dropped, ...created] = await Promise.all([put(org, ['New']), ...writes])
      const inDemo = (await org.get('/deals?stage=Demo&status=open')).body.data
      const { stages } = (await org.get('/deals/stages')).body.data
      expect(inDemo.length === 0 || stages.includes('Demo')).toBe(true)
      expect([200, 409]).toContain(dropped!.status)
      for (const { status } of created) expect([201, 422]).toContain(status)
      for (const { deal_id } of inDemo) await org.patch(`/deals/${deal_id}`, { stage: 'New' })
    }
  })
})

describe.each([
  ['in the order of the API', endpoints],
  ['in reverse', endpoints.toReversed()],
  ['sorted', endpoints.toSorted((a, b) => a.path.localeCompare(b.path))],
])(
  'a fixed path under /deals is never read as a deal id if endpoints are registered %s',
  async (_order, ordered) => {
    const org = await app.newOrg()
    const caller = {
      ...{
        apiKeyId: org.apiKeyId,
        memberId: null,
        sessionId: null,
        name: 'Test',
        homeOrgId: org.orgId,
        payerId: org.orgId,
        orgId: org.orgId,
      },
      ...({ mode: 'live', reachesClients: false, permissions: null } as const),
    }
    const server = createServer({
      endpoints: ordered,
      context: app.app.context,
      gate: () => caller,
      requirePermission: () => {},
      requireRights: async () => {},
      answerKeyed: async () => expect.fail('No request has an Idempotency-Key'),
      publicRoutes: () => {},
      onAnswer: () => {},
    })
    afterAll(() => server.close())

    test.each([
      ['/deals/close-reasons', 'close_reasons'],
      ['/deals/close-reasons/', 'close_reasons'],
      ['/api/v1/deals/close-reasons', 'close_reasons'],
      ['/deals/close%2Dreasons', 'close_reasons'],
      ['/v1/deals/stages', 'stages'],
      ['/deals/summary', 'months'],
    ])('GET %s reads a fixed path, and DELETE and PATCH get 405', async (url, member) => {
      const answer = await server.inject({ method: 'GET', url })
      expect(answer.statusCode, answer.body).toBe(200)
      expect(answer.json().data).toHaveProperty(member)
      const deleted = await server.inject({ method: 'DELETE', url })
      expect([deleted.statusCode, deleted.headers.allow]).toEqual([405, expect.stringContaining('GET')])
      const patched = await server.inject({ method: 'PATCH', url, payload: { name: 'D' } })
      expect(patched.statusCode).toBe(405)
    })

    test('a deal is found by its id, in any order of registered endpoints', async () => {
      const { deal_id } = (await org.post('/deals', { name: 'D' })).body.data
      const answer = await server.inject({ method: 'GET', url: `/deals/${deal_id}` })
      expect(answer.json().data.deal_id).toBe(deal_id)
      expect((await server.inject({ method: 'GET', url: '/deals/closereasons' })).statusCode).toBe(422)
    })
  },
)
