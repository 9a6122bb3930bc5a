import { afterAll, expect, test } from 'vitest'
import type { ProviderCall } from '../../src/voice/providers/provider.ts'
import { providerMakers } from '../../src/voice/providers/providers.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { patience } from '../support/patience.ts'
import { type CallProviderStandIn, standInCalls } from '../support/stand-in-calls.ts'

const app = await startTestApp({ publicUrl: 'https://crosswalk.example' })
afterAll(() => app.close())
const { caller, place, read, reconcile, slots } = standInCalls(app)

test('a call without further reports frees its slot after the longest duration of a call', async () => {
  const { org, vapi } = await caller()
  await org.patch('/voice/settings', { concurrent_call_cap: 1 })
  const { call_id: callId } = (await place(org)).body
  expect((await place(org)).status).toBe(429)
  const passSeconds = (seconds: number) =>
    runAsOwner(
      app.databaseUrl,
      'update call set slot_until = slot_until - make_interval(secs => $2) where call_id = $1',
      [callId, seconds],
    )
  // A call lasts half an hour at most, and occupies its slot three minutes longer.
  await passSeconds(32 * 60)
  expect((await place(org)).status).toBe(429)
  await passSeconds(60)
  expect((await place(org)).status).toBe(201)
  vapi.isAway = true
  await reconcile(25 * 3_600_000)
  expect(await read(org, callId)).toMatchObject({ status: 'failed', error: { code: 'call_result_unknown' } })
})

test.each([
  ['was in progress is completed', 'in_progress', 'completed', null],
  ['only rang has failed', 'ringing', 'failed', expect.objectContaining({ code: 'call_end_unknown' })],
])(
  'after the maximum duration, a call without a final report ends: a call that %s',
  async (_what, last, status, error) => {
    const { org, vapi } = await caller()
    const { call_id: callId } = (await place(org)).body
    const providerCallId = `v-${callId}`
    vapi.calls.set(callId, { providerCallId, state: last as ProviderCall['state'], durationSeconds: null })
    await reconcile(61_000)
    vapi.calls.clear()
    await reconcile(1_900_000)
    expect((await read(org, callId)).status).toBe(last)
    await reconcile(2_400_000)
    expect(await read(org, callId)).toMatchObject({ status, error })
    expect(await slots(org)).toBe(0)
    expect((await org.get(`/events?type=call.${status}`)).body.pagination.total).toBe(1)
  },
)

test('a call that its provider reports as running for over a day fails, and polling stops', async () => {
  const { org, vapi } = await caller()
  const { call_id: callId } = (await place(org)).body
  vapi.calls.set(callId, { providerCallId: `v-${callId}`, state: 'in_progress', durationSeconds: null })
  await reconcile(25 * 3_600_000)
  expect(await read(org, callId)).toMatchObject({ status: 'failed', error: { code: 'call_result_unknown' } })
})

test('a call fails after a day and frees its slot if the provider’s reports cannot be stored', async () => {
  const { org, vapi } = await caller()
  const { call_id } = (await place(org)).body
  vapi.calls.set(call_id, { providerCallId: `v-${call_id}`, state: 'completed', durationSeconds: 2 ** 31 })
  await reconcile(60_000 + 1)
  expect(await read(org, call_id)).toMatchObject({ status: 'queued' })
  await reconcile(86_400_000 + 120_000)
  expect(await read(org, call_id)).toMatchObject({ status: 'failed', error: { code: 'call_result_unknown' } })
  expect((await org.get('/voice/usage')).body.data.concurrent_calls).toBe(0)
})

test('a slow provider does not delay the polls of other organizations', async () => {
  const [slow, quick] = [await caller(), await caller()]
  const asked: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const standIns: Record<string, CallProviderStandIn> = {
    [slow.org.orgId]: slow.vapi,
    [quick.org.orgId]: quick.vapi,
  }
  for (const { vapi } of [slow, quick])
    vapi.onDispatch = (order) => {
      vapi.take(order)
      return { outcome: 'unknown', reason: 'no answer in time' }
    }
  const find = slow.vapi.find.bind(slow.vapi)
  slow.vapi.find = async (order) => {
    asked.push(order.callId)
    await released
    return find(order)
  }
  providerMakers.vapi = ({ org }) => standIns[org.orgId]!
  await slow.org.patch('/voice/settings', { concurrent_call_cap: 100 })
  for (let n = 0; n < 40; n++) await place(slow.org)
  const { call_id: callId } = (await place(quick.org)).body
  const reconciled = reconcile(9_000)
  await expect.poll(async () => (await read(quick.org, callId)).status, patience).toBe('queued')
  expect(asked.length).toBeLessThan(16)
  release()
  await reconciled
  expect(new Set(asked).size).toBe(40)
  expect((await slow.org.get('/voice/calls?status=unknown')).body.data).toEqual([])
})
