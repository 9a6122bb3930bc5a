import { afterAll, describe, expect, test } from 'vitest'
import { OrgBusy } from '../../src/platform/db/errors.ts'
import { system } from '../../src/platform/db/system.ts'
import { reconcileAll } from '../../src/voice/calls/reconcile.ts'
import { sweepOnce } from '../../src/voice/calls/sweep.ts'
import { sendDueCallbacks } from '../../src/voice/providers/simulated-calls.ts'
import { startTestApp, type TestClient } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { answeredNumber, ownNumber, place, simulatedCalls } from '../support/simulated-calls.ts'
import { sinceDialed } from '../support/simulation.ts'

const app = await startTestApp()
const other = await startTestApp({}, app)
afterAll(async () => {
  await other.close()
  await app.close()
})

const { caller, dials, simulate } = simulatedCalls(app)
const read = async (org: TestClient, callId: string) => (await org.get(`/voice/calls/${callId}`)).body.data

describe('the simulator', () => {
  test('a call can be placed, its answer has no envelope, and the call ends', async () => {
    const org = await caller()
    const persona = (await org.post('/personas', { name: 'Mia', greeting: 'Hello' })).body.data
    const body = {
      ...{ instructions: 'Confirm.', variables: { name: 'Ada' }, metadata: { deep: [1] } },
      persona_id: persona.persona_id,
    }
    const placed = await place(org, { to_number: '(202) 555-0100', ...body })
    expect([placed.status, placed.body]).toEqual([
      201,
      {
        ...{ call_id: expect.any(String), status: 'dispatched', dry_run: false, mode: 'live' },
        ...{ provider: 'simulator', provider_call_id: expect.any(String), to_number: answeredNumber },
        ...{ from_number: ownNumber, persona_id: persona.persona_id, created_at: expect.any(Number) },
        dispatch: expect.objectContaining({ call_id: placed.body.call_id, state: 'queued' }),
      },
    ])
    const { call_id: callId } = placed.body
    const at = async (ms: number) => {
      await simulate(ms)
      return (await read(org, callId)).status
    }
    expect((await read(org, callId)).status).toBe('queued')
    expect([await at(1_000), await at(3_000), await at(21_000), await at(23_000), await at(99_000)]).toEqual([
      ...['ringing', 'in_progress', 'in_progress', 'completed', 'completed'],
    ])
    const { status: _status, dry_run: _dry, dispatch: _dispatch, ...ids } = placed.body
    expect(await read(org, callId)).toEqual({
      ...{ ...ids, status: 'completed', duration_seconds: 20, error: null, ended_at: expect.any(Number) },
      ...{ instructions: 'Confirm.', variables: { name: 'Ada' }, metadata: { deep: [1] } },
    })
    const events = (await org.get(`/events?object_id=${callId}`)).body.data
    expect(events.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
      ['call.completed', { provider: 'simulator' }],
      ['call.dispatched', { provider: 'simulator' }],
    ])
    const usage = (await org.get('/voice/usage')).body.data
    expect(usage).toEqual({
      months: [
        {
          month: new Date(placed.body.created_at * 1_000).toISOString().slice(0, 7),
          live: { calls: 1, answered: 1, seconds: 20, minutes: 1 },
          test: { calls: 0, answered: 0, seconds: 0, minutes: 0 },
        },
      ],
      ...{ included_minutes: null, concurrent_calls: 0, concurrent_call_cap: 10 },
    })
  })

  test.each([
    ['+12025550101', 'busy', 0],
    ['+12025550102', 'no_answer', 0],
    ['+12025550103', 'failed', 0],
    ['+12025550104', 'completed', 1],
    ['+12025550105', 'completed', 1_800],
    ['+12025550114', 'completed', 20],
  ])('a call to %s ends as %s', async (to, status, seconds) => {
    const org = await caller()
    const { call_id: callId } = (await place(org, { to_number: to })).body
    for (const ms of [100, 3_500, 23_000, 40_000, 2_000_000]) await simulate(ms)
    expect(await read(org, callId)).toMatchObject({ status, duration_seconds: seconds })
    expect((await org.get('/voice/usage')).body.data.concurrent_calls).toBe(0)
    const types = (await org.get(`/events?object_id=${callId}`)).body.data.map(
      ({ type }: { type: string }) => type,
    )
    expect(types.sort()).toEqual([`call.${status}`, 'call.dispatched'].sort())
  })

  test.each(['+12025550110', '+12025550111'])(
    'a call that the provider refuses gets 502 with its message: %s',
    async (to) => {
      const org = await caller()
      const refused = await place(org, { to_number: to }, 'k')
      expect([refused.status, refused.body.detail]).toEqual([
        502,
        expect.stringMatching(
          /^simulator did not accept the call \((400|ECONNREFUSED)\): .*No phone rang\.$/,
        ),
      ])
      expect((await org.get('/voice/usage')).body.data.concurrent_calls).toBe(0)
      expect((await org.get('/voice/calls?status=failed')).body.data).toMatchObject([
        { to_number: to, status: 'failed' },
      ])
      expect((await place(org, {}, 'k')).status).toBe(201)
      expect(await dials(org)).toBe(1)
    },
  )

  test.each([
    ['+12025550112', 'unknown', 'ringing'],
    ['+12025550113', 'unknown', 'failed'],
    ['+12025550115', 'dispatched', 'ringing'],
  ])('a call to %s is answered as %s, and polling finds it: %s', async (to, answer, status) => {
    const org = await caller()
    const placed = await place(org, { to_number: to })
    expect([placed.status, placed.body.status]).toEqual([201, answer])
    const { context } = app.app
    const later = Date.now() + 99_000
    await reconcileAll(system(context.database), context, () => later)
    expect((await read(org, placed.body.call_id)).status).toBe(status)
  })

  test('a call can be canceled until it ends', async () => {
    const org = await caller()
    const { call_id: callId } = (await place(org)).body
    const cancel = () => org.post(`/voice/calls/${callId}/cancel`)
    for (const answer of [await cancel(), await cancel()])
      expect(answer).toMatchObject({ status: 200, body: { data: { call_id: callId, status: 'canceled' } } })
    await simulate(99_000)
    expect((await read(org, callId)).status).toBe('canceled')
    const { call_id: ended } = (await place(org, { to_number: '+12025550101' })).body
    await simulate(99_000)
    const late = await org.post(`/voice/calls/${ended}/cancel`)
    expect([late.status, late.body.detail]).toEqual([409, 'This call has ended already (busy)'])
  })

  // The simulator locks the calls that it updates. It shares the database connections with requests of the org.
  test('a call can be canceled by many requests at once while the simulator locks it, and other requests do not wait', async () => {
    const org = await caller()
    const { call_id: callId } = (await place(org)).body
    await withClient(app, async (walker) => {
      await walker.query('begin')
      await walker.query('select from simulated_call where call_id = $1 for update', [callId])
      const cancels = Array.from({ length: 30 }, () => org.post(`/voice/calls/${callId}/cancel`))
      for (let n = 0; n < 30; n++) expect((await org.get(`/voice/calls/${callId}`)).status).toBe(200)
      await walker.query('rollback')
      const statuses = (await Promise.all(cancels)).map(({ status }) => status)
      expect(statuses).toEqual(statuses.map(() => 200))
    })
  })

  test('calls can be filtered by status, number and time', async () => {
    const org = await caller()
    const one = (await place(org)).body.call_id
    const two = (await place(org, { to_number: '+12025550101' })).body.call_id
    await simulate(3_000)
    const found = async (query: string) => {
      const { data, pagination } = (await org.get(`/voice/calls?${query}`)).body
      expect(pagination.total).toBe(data.length)
      return data.map(({ call_id }: { call_id: string }) => call_id)
    }
    expect(await found('')).toEqual([two, one])
    expect(await found('status=busy')).toEqual([two])
    expect(await found('status=in_progress')).toEqual([one])
    expect(await found('to_number=%2B12025550100')).toEqual([one])
    expect(await found('to_number=+1 202 555 0101')).toEqual([two])
    const now = Math.floor(Date.now() / 1000)
    expect(await found(`created_since=${now + 60}`)).toEqual([])
    expect(await found(`created_since=${now - 60}`)).toEqual([two, one])
    expect((await org.get('/voice/calls?to_number=nobody')).status).toBe(422)
  })
})

test.each([
  ['that has no connection left', new OrgBusy('Too many')],
  ['whose call cannot be moved', new TypeError('a fault')],
])('an organization %s does not delay simulated calls of others', async (_, error) => {
  const [busy, idle] = [await caller(), await caller()]
  for (const org of [busy, idle]) expect((await place(org)).status).toBe(201)
  const { context } = app.app
  const walk = async (ms: number) => {
    const counted: string[] = []
    const deliver = async ({ orgId }: { orgId: string }) => {
      if (orgId === busy.orgId && ms < 3_000) throw error
      counted.push(orgId)
    }
    const sign = () => Buffer.alloc(16)
    await sendDueCallbacks(system(context.database), sign, deliver, await sinceDialed(app, ms))
    return counted.filter((orgId) => orgId === busy.orgId || orgId === idle.orgId)
  }
  expect(await walk(500)).toEqual([idle.orgId])
  expect(await walk(600)).toEqual([])
  // Later, the call rings and the callee answers.
  expect((await walk(3_000)).sort()).toEqual([busy.orgId, busy.orgId, idle.orgId].sort())
})

test('ended calls are deleted after the retention, and lists count the rest', async () => {
  const org = await caller()
  const old = (await place(org)).body.call_id
  await simulate(99_000)
  // This call has not ended.
  const open = (await place(org)).body.call_id
  const sweepAfter = (days: number) =>
    sweepOnce(system(app.app.context.database), 401, { now: Date.now() + days * 86_400_000 })
  const list = async () => (await org.get('/voice/calls')).body
  const minutes = async () => (await org.get('/voice/usage')).body.data.months
  const before = await minutes()
  await sweepAfter(400)
  expect((await list()).pagination.total).toBe(2)
  await sweepAfter(402)
  const { data, pagination } = await list()
  expect([data.map(({ call_id }: { call_id: string }) => call_id), pagination.total]).toEqual([[open], 1])
  expect((await org.get(`/voice/calls/${old}`)).status).toBe(404)
  expect(await minutes()).toEqual(before)
})
