import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { type CallProviderStandIn, standInCalls } from '../support/stand-in-calls.ts'

const app = await startTestApp({ publicUrl: 'https://crosswalk.example' })
afterAll(() => app.close())
const { caller, place, read, reconcile, slots } = standInCalls(app)

describe('the callback routes', () => {
  const call = async (org: TestOrg, vapi: CallProviderStandIn) => {
    const { call_id: callId } = (await place(org)).body
    const path = new URL(vapi.orders.at(-1)!.callbackUrl!).pathname
    const tell = (
      state: string,
      durationSeconds: number | null = null,
      options: { path?: string; secret?: string } = {},
    ) =>
      app.stranger.post(
        options.path ?? path,
        { callId, call: { providerCallId: `v-${callId}`, state, durationSeconds } },
        { prefix: '', headers: { 'x-secret': options.secret ?? 'sesame' } },
      )
    return { callId, path, tell }
  }

  test('callbacks move a call only forward; late and repeated callbacks change nothing', async () => {
    const { org, vapi } = await caller()
    const { callId, tell } = await call(org, vapi)
    const statuses: string[] = []
    for (const [state, seconds] of [
      ...[
        ['in_progress'],
        ['ringing'],
        ['in_progress'],
        ['completed', 61],
        ['completed', 61],
        ['failed'],
        ['queued'],
      ],
    ] as [string, number?][]) {
      expect((await tell(state, seconds ?? null)).status).toBe(200)
      statuses.push((await read(org, callId)).status)
    }
    expect(statuses).toEqual([
      ...['in_progress', 'in_progress', 'in_progress', 'completed', 'completed', 'completed', 'completed'],
    ])
    expect(await slots(org)).toBe(0)
    const usage = (await org.get('/voice/usage')).body.data.months[0].live
    expect(usage).toEqual({ calls: 1, answered: 1, seconds: 61, minutes: 2 })
    const events = (await org.get(`/events?object_id=${callId}`)).body
    expect(events.pagination.total).toBe(2)
    expect(JSON.stringify(events)).not.toContain('2025550147')
  })

  test('a callback may report the duration after the end of a call', async () => {
    const { org, vapi } = await caller()
    const { callId, tell } = await call(org, vapi)
    await tell('completed')
    expect((await read(org, callId)).duration_seconds).toBeNull()
    await tell('completed', 30)
    await tell('completed', 90)
    expect((await read(org, callId)).duration_seconds).toBe(30)
    expect((await org.get('/voice/usage')).body.data.months[0].live).toMatchObject({ calls: 1, seconds: 30 })
  })

  test('if a callback reports the end of a call without its duration, the server polls for the duration', async () => {
    const { org, vapi } = await caller()
    const { callId, tell } = await call(org, vapi)
    await tell('completed')
    // A report of a running call has no duration.
    await reconcile(61_000)
    vapi.isAway = true
    await reconcile(130_000)
    vapi.isAway = false
    const ended = { providerCallId: `v-${callId}`, state: 'completed', durationSeconds: 61 } as const
    vapi.calls.set(callId, ended)
    await reconcile(300_000)
    expect(await read(org, callId)).toMatchObject({ status: 'completed', duration_seconds: 61 })
    vapi.calls.set(callId, { ...ended, durationSeconds: 99 })
    await reconcile(600_000)
    expect((await org.get('/voice/usage')).body.data.months[0].live).toMatchObject({ calls: 1, minutes: 2 })
    expect((await org.get(`/events?object_id=${callId}`)).body.pagination.total).toBe(2)
  })

  test('a callback of a call that the provider no longer has causes only one poll', async () => {
    const { org, vapi } = await caller()
    const { callId, tell } = await call(org, vapi)
    vapi.calls.clear()
    await tell('completed')
    for (const ms of [61_000, 600_000]) await reconcile(ms)
    const [row] = await runAsOwner<object>(
      app.databaseUrl,
      'select check_at, checks from call where call_id = $1',
      [callId],
    )
    expect(row).toEqual({ check_at: null, checks: 1 })
  })

  test('a callback that arrives before the answer to the dispatch updates the call, even if that answer is a refusal', async () => {
    const { org, vapi } = await caller()
    vapi.onDispatch = async ({ callId, callbackUrl }) => {
      const call = { providerCallId: 'v', state: 'ringing', durationSeconds: null }
      const path = new URL(callbackUrl!).pathname
      await app.stranger.post(path, { callId, call }, { prefix: '', headers: { 'x-secret': 'sesame' } })
      return { outcome: 'refused', code: '400', message: 'No.' }
    }
    const placed = await place(org, 'k')
    expect([placed.status, placed.body]).toMatchObject([201, { status: 'dispatched', provider_call_id: 'v' }])
    expect((await read(org, placed.body.call_id)).status).toBe('ringing')
  })

  test('if a callback reports the end of a call before the dispatch is answered, the provider is not polled', async () => {
    const { org, vapi } = await caller()
    vapi.onDispatch = async (order) => {
      const call = { providerCallId: 'v', state: 'completed', durationSeconds: 3 }
      const path = new URL(order.callbackUrl!).pathname
      const body = { callId: order.callId, call }
      await app.stranger.post(path, body, { prefix: '', headers: { 'x-secret': 'sesame' } })
      return vapi.take(order)
    }
    const { body } = await place(org, 'k')
    expect(body).toMatchObject({
      status: 'dispatched',
      provider_call_id: 'v',
      dispatch: { status: 'queued' },
    })
    expect(await read(org, body.call_id)).toMatchObject({ status: 'completed', duration_seconds: 3 })
    const [row] = await runAsOwner<object>(
      app.databaseUrl,
      'select check_at, slot_until from call where call_id = $1',
      [body.call_id],
    )
    expect(row).toEqual({ check_at: null, slot_until: null })
  })

  test('a callback is accepted only with the right address and signature', async () => {
    const { org, vapi } = await caller()
    const { callId, path, tell } = await call(org, vapi)
    const other = await caller()
    const theirs = await call(other.org, other.vapi)
    expect((await tell('ringing', null, { secret: 'guessed' })).status).toBe(403)
    const token = path.split('/').at(-1)!
    const forged = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
    for (const wrong of [
      path.replace(token, forged),
      path.replace('vapi', 'nobody'),
      path.slice(0, -1),
      `${path}A`,
    ])
      expect((await tell('ringing', null, { path: wrong })).status).toBe(404)
    expect((await tell('ringing', null, { path: theirs.path })).status).toBe(200)
    // A provider cannot report about another provider's call.
    const settings = await org.patch('/voice/settings', {
      ...{
        provider: 'twilio',
        credentials: { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'b'.repeat(32) },
      },
    })
    expect(settings.status).toBe(200)
    const url = `${app.app.context.config.publicUrl ?? app.address}${path.replace('vapi', 'twilio')}?call_id=${callId}`
    const form = { CallSid: `CA${'0'.repeat(32)}`, CallStatus: 'completed' }
    const said = await fetch(url.replace(/^https?:\/\/[^/]+/, app.address), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': getExpectedTwilioSignature('b'.repeat(32), url, form),
      },
      body: new URLSearchParams(form),
    })
    expect(said.status).toBe(200)
    const noJson = await app.stranger.post(path, undefined, {
      prefix: '',
      raw: '{',
      headers: { 'x-secret': 'sesame' },
    })
    expect(noJson.status).toBe(400)
    expect((await read(org, callId)).status).toBe('queued')
  })
})
