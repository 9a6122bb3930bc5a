import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { reconcileAll } from '../../src/voice/calls/reconcile.ts'
import type {
  CallbackReport,
  CallbackRequest,
  CallOrder,
  DispatchOutcome,
  Provider,
  ProviderCall,
} from '../../src/voice/providers/provider.ts'
import { BadSignature, CannotCancel, Unreachable } from '../../src/voice/providers/provider.ts'
import { providerMakers } from '../../src/voice/providers/providers.ts'
import { type Answer, startTestApp, type TestOrg } from '../support/app.ts'
import { askOwner } from '../support/database.ts'
import { patience } from '../support/patience.ts'

const app = await startTestApp({ publicUrl: 'https://crosswalk.example' })
const usual = providerMakers.vapi
afterEach(() => {
  providerMakers.vapi = usual
})
afterAll(() => app.close())

const credentials = { api_key: 'vapi-key-0001', assistant_id: 'a', phone_number_id: 'p' }

/** A provider of this process: what it was asked for, and what it shall say. */
class StandIn implements Provider {
  readonly orders: CallOrder[] = []
  readonly calls = new Map<string, ProviderCall>()
  /** What becomes of an attempt, unless it is just taken. */
  onDispatch: (order: CallOrder) => Promise<DispatchOutcome> | DispatchOutcome = (order) => this.take(order)
  isAway = false

  take({ callId }: CallOrder): DispatchOutcome {
    const call = { providerCallId: `v-${callId}`, state: 'queued', durationSeconds: null } as const
    this.calls.set(callId, call)
    return { outcome: 'dispatched', call, answer: { id: `v-${callId}`, status: 'queued', n: 1.5 } }
  }

  async dispatch(order: CallOrder): Promise<DispatchOutcome> {
    this.orders.push(order)
    return this.onDispatch(order)
  }

  async find({ callId }: { callId: string }): Promise<ProviderCall | null> {
    if (this.isAway) throw new Unreachable('away')
    return this.calls.get(callId) ?? null
  }

  async cancel(callId: string): Promise<ProviderCall> {
    if (this.isAway) throw new Unreachable('away')
    const call = this.calls.get(callId)
    if (!call) throw new CannotCancel('no such call')
    return { ...call, state: 'canceled' }
  }

  async parseCallback({ headers, body }: CallbackRequest): Promise<CallbackReport> {
    if (headers['x-secret'] !== 'sesame') throw new BadSignature('no')
    return JSON.parse(body.toString()) as CallbackReport
  }
}

/** An org whose calls go to a stand-in. */
async function caller(): Promise<{ org: TestOrg; vapi: StandIn }> {
  const vapi = new StandIn()
  providerMakers.vapi = () => vapi
  const org = await app.newOrg()
  await org.post('/voice/numbers', { number: '+14155550123', provider_ref: 'ref-1' })
  expect((await org.patch('/voice/settings', { provider: 'vapi', credentials })).status).toBe(200)
  return { org, vapi }
}

const place = (org: TestOrg, key?: string, body: object = {}): Promise<Answer> =>
  org.post(
    '/voice/calls',
    { to_number: '+12025550147', ...body },
    key ? { headers: { 'idempotency-key': key } } : {},
  )

const read = async (org: TestOrg, callId: string) => (await org.get(`/voice/calls/${callId}`)).body.data

const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true'

/** Asks providers as if so many milliseconds had passed. */
const reconcile = (ms: number) => {
  const now = Date.now() + ms
  return reconcileAll(system(app.app.context.database), app.app.context, () => now)
}

/** A process that was killed does not come back, and its claims are no longer busy. */
const passTime = ({ orgId }: TestOrg) =>
  askOwner(
    app.databaseUrl,
    'update idempotency_key set busy_until = now() where org_id = $1 and unfinished is not null',
    [orgId],
  )

const slots = async (org: TestOrg) => (await org.get('/voice/usage')).body.data.concurrent_calls

describe('an attempt', () => {
  test('carries all that the provider needs', async () => {
    const { org, vapi } = await caller()
    const persona = (
      await org.post('/personas', {
        ...{ name: 'Mia', greeting: 'Hello', instructions: 'Be brief.', voice: { language: 'en-US' } },
      })
    ).body.data.persona_id
    const body = { persona_id: persona, instructions: 'Confirm.', variables: { a: 'b' }, metadata: { m: 1 } }
    const { call_id: callId, dispatch } = (await place(org, 'k', body)).body
    const { callback_url } = (await org.get('/voice/settings')).body.data
    expect(callback_url).toBe(vapi.orders[0]!.callbackUrl)
    expect(dispatch).toEqual({ id: `v-${callId}`, status: 'queued', n: 1.5 })
    expect(vapi.orders).toEqual([
      {
        ...{ callId, to: '+12025550147', from: '+14155550123', fromRef: 'ref-1', maxDurationSeconds: 1_800 },
        ...{
          instructions: 'Be brief.\n\nConfirm.',
          ...{ disclosure: 'This is a call from an AI assistant.', greeting: 'Hello' },
          variables: { a: 'b' },
          metadata: { m: 1 },
        },
        voice: { provider_voice_id: null, language: 'en-US', speed: null },
        callbackUrl: expect.stringMatching(/^https:\/\/crosswalk\.example\/hooks\/voice\/vapi\/[\w-]{43}$/),
        lastCheck: expect.any(Function),
      },
    ])
  })

  test('is made once for a key; its answer is kept', async () => {
    const { org, vapi } = await caller()
    const answers = [await place(org, 'k'), await place(org, 'k')]
    expect(answers.map(isReplay)).toEqual([false, true])
    expect(answers[1]!.text).toBe(answers[0]!.text)
    expect(vapi.orders).toHaveLength(1)
  })

  test('that runs: the same key is a 409 with Retry-After, for another request a 422', async () => {
    const { org, vapi } = await caller()
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const { promise: dialing, resolve: dials } = Promise.withResolvers<void>()
    vapi.onDispatch = async (order) => {
      dials()
      await gate
      return vapi.take(order)
    }
    const first = place(org, 'k')
    await dialing
    const again = await place(org, 'k')
    expect([again.status, again.headers.get('retry-after')]).toEqual([409, '1'])
    const other = await place(org, 'k', { metadata: { other: 1 } })
    expect([other.status, other.body.detail[0].type]).toEqual([422, 'idempotency_key_reused'])
    expect((await org.get('/voice/calls')).body.data).toMatchObject([{ status: 'dispatching' }])
    open()
    expect((await first).body.status).toBe('dispatched')
    expect(vapi.orders).toHaveLength(1)
  })

  test.each([
    ['with a key', 'k'],
    ['without', undefined],
  ])('refused: 502, the slot and the key are free, %s', async (_name, key) => {
    const { org, vapi } = await caller()
    vapi.onDispatch = () => ({ outcome: 'refused', code: '21211', message: 'The number is not valid.' })
    const refused = await place(org, key)
    expect([refused.status, refused.body.detail]).toEqual([
      502,
      'vapi did not take the call (21211): The number is not valid. Nothing rang.',
    ])
    expect(await slots(org)).toBe(0)
    const [call] = (await org.get('/voice/calls')).body.data
    expect(call).toMatchObject({
      status: 'failed',
      error: { code: '21211', message: 'The number is not valid.' },
    })
    vapi.onDispatch = (order) => vapi.take(order)
    expect((await place(org, key)).body.status).toBe('dispatched')
  })

  test('of which the provider said nothing clear is never made again; it is asked, and the call moves', async () => {
    const { org, vapi } = await caller()
    vapi.onDispatch = (order) => {
      vapi.take(order)
      return { outcome: 'unknown', reason: '500' }
    }
    const unknown = await place(org, 'k')
    const { call_id: callId } = unknown.body
    expect([unknown.status, unknown.body]).toMatchObject([
      201,
      { status: 'unknown', provider_call_id: null, dispatch: null },
    ])
    expect((await read(org, callId)).status).toBe('unknown')
    expect(await slots(org)).toBe(1)
    vapi.isAway = true
    await reconcile(5_000)
    expect((await read(org, callId)).status).toBe('unknown')
    vapi.isAway = false
    await reconcile(99_000)
    expect(await read(org, callId)).toMatchObject({ status: 'queued', provider_call_id: `v-${callId}` })
    const retry = await place(org, 'k')
    expect([retry.text, isReplay(retry)]).toEqual([unknown.text, true])
    expect(vapi.orders).toHaveLength(1)
  })

  test('that the provider never got has failed, once it had the time to get it', async () => {
    const { org, vapi } = await caller()
    vapi.onDispatch = () => ({ outcome: 'unknown', reason: 'no answer' })
    const { call_id: callId } = (await place(org, 'k')).body
    await reconcile(30_000)
    expect((await read(org, callId)).status).toBe('unknown')
    await reconcile(99_000)
    expect(await read(org, callId)).toMatchObject({ status: 'failed', error: { code: 'absent' } })
    expect(await slots(org)).toBe(0)
    expect(vapi.orders).toHaveLength(1)
  })

  test.each([
    ['that had dialed', true, 'dispatched', 'queued'],
    ['that had not', false, 'failed', 'failed'],
  ])(
    'of a process %s and died: the same key gets the call as it stands',
    async (_name, dialed, answer, status) => {
      const { org, vapi } = await caller()
      vapi.onDispatch = (order) => {
        if (dialed) vapi.take(order)
        // As if the process had died here: nobody ever comes back.
        return new Promise(() => {})
      }
      void place(org, 'k').catch(() => {})
      await expect.poll(() => vapi.orders.length, patience).toBe(1)
      const { callId } = vapi.orders[0]!
      expect((await place(org, 'k')).status).toBe(409)
      await passTime(org)
      expect((await place(org, 'k')).status).toBe(409)
      await reconcile(99_000)
      expect((await read(org, callId)).status).toBe(status)
      const [one, two] = [await place(org, 'k'), await place(org, 'k')]
      expect([one.status, one.body]).toMatchObject([201, { call_id: callId, status: answer }])
      expect([isReplay(one), isReplay(two), two.text]).toEqual([true, true, one.text])
      expect(vapi.orders).toHaveLength(1)
    },
  )
})

describe('callbacks', () => {
  const call = async (org: TestOrg, vapi: StandIn) => {
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

  test('move the call on, and never back; late and repeated ones change nothing', async () => {
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

  test('may tell how long a call was after they told that it ended', async () => {
    const { org, vapi } = await caller()
    const { callId, tell } = await call(org, vapi)
    await tell('completed')
    expect((await read(org, callId)).duration_seconds).toBeNull()
    await tell('completed', 30)
    await tell('completed', 90)
    expect((await read(org, callId)).duration_seconds).toBe(30)
    expect((await org.get('/voice/usage')).body.data.months[0].live).toMatchObject({ calls: 1, seconds: 30 })
  })

  test('that tell the end, and are lost before they tell how long it was: the provider is asked for that', async () => {
    const { org, vapi } = await caller()
    const { callId, tell } = await call(org, vapi)
    await tell('completed')
    // What it said before the end says nothing of that.
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

  test('of a call of which its provider keeps nothing are all that there is: it is asked once', async () => {
    const { org, vapi } = await caller()
    const { callId, tell } = await call(org, vapi)
    vapi.calls.clear()
    await tell('completed')
    for (const ms of [61_000, 600_000]) await reconcile(ms)
    const [row] = await askOwner<object>(
      app.databaseUrl,
      'select check_at, checks from call where call_id = $1',
      [callId],
    )
    expect(row).toEqual({ check_at: null, checks: 1 })
  })

  test('that overtake the answer to dialing hold, and prove that it was dialed', async () => {
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

  test('that tell the end before the answer to dialing comes leave nothing to ask', async () => {
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
    const [row] = await askOwner<object>(
      app.databaseUrl,
      'select check_at, slot_until from call where call_id = $1',
      [body.call_id],
    )
    expect(row).toEqual({ check_at: null, slot_until: null })
  })

  test('are let in by their address and signature alone', async () => {
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
    // Another org's address does not reach this one's calls.
    expect((await tell('ringing', null, { path: theirs.path })).status).toBe(200)
    // Nor does one provider say anything of a call through another.
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

test('a call that says nothing more gives its slot back after the longest that it may take', async () => {
  const { org, vapi } = await caller()
  await org.patch('/voice/settings', { concurrent_call_cap: 1 })
  const { call_id: callId } = (await place(org)).body
  expect((await place(org)).status).toBe(429)
  const passSeconds = (seconds: number) =>
    askOwner(
      app.databaseUrl,
      'update call set slot_until = slot_until - make_interval(secs => $2) where call_id = $1',
      [callId, seconds],
    )
  // Half an hour, and three minutes to be sure.
  await passSeconds(32 * 60)
  expect((await place(org)).status).toBe(429)
  await passSeconds(60)
  expect((await place(org)).status).toBe(201)
  vapi.isAway = true
  await reconcile(25 * 3_600_000)
  expect(await read(org, callId)).toMatchObject({ status: 'failed', error: { code: 'silent' } })
})

test.each([
  ['was talked, has completed', 'in_progress', 'completed', null],
  ['only rang, has failed', 'ringing', 'failed', expect.objectContaining({ code: 'forgotten' })],
])(
  'after the longest call, a call that %s if its last callback was lost and its provider keeps no ended calls',
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

test('a call that is said to be under way for a day, and can be none, is asked for no more', async () => {
  const { org, vapi } = await caller()
  const { call_id: callId } = (await place(org)).body
  vapi.calls.set(callId, { providerCallId: `v-${callId}`, state: 'in_progress', durationSeconds: null })
  await reconcile(25 * 3_600_000)
  expect(await read(org, callId)).toMatchObject({ status: 'failed', error: { code: 'silent' } })
})

test('a call of which nothing can be stored that its provider says has failed after a day, and its slot is free', async () => {
  const { org, vapi } = await caller()
  const { call_id } = (await place(org)).body
  vapi.calls.set(call_id, { providerCallId: `v-${call_id}`, state: 'completed', durationSeconds: 2 ** 31 })
  await reconcile(60_000 + 1)
  expect(await read(org, call_id)).toMatchObject({ status: 'queued' })
  await reconcile(86_400_000 + 120_000)
  expect(await read(org, call_id)).toMatchObject({ status: 'failed', error: { code: 'silent' } })
  expect((await org.get('/voice/usage')).body.data.concurrent_calls).toBe(0)
})

test('a provider that takes its time holds up no other organization', async () => {
  const [slow, quick] = [await caller(), await caller()]
  const asked: string[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const standIns: Record<string, StandIn> = { [slow.org.orgId]: slow.vapi, [quick.org.orgId]: quick.vapi }
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

test('a key of test mode ends no live call', async () => {
  const { org, vapi } = await caller()
  const { call_id: callId } = (await place(org)).body
  const testing = await app.newKey(org.orgId, { mode: 'test' })
  const refused = await testing.post(`/voice/calls/${callId}/cancel`)
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('key of test mode')])
  expect((await read(org, callId)).status).toBe('queued')
  const { call_id: tried } = (await place(testing)).body
  expect((await org.post(`/voice/calls/${tried}/cancel`)).status).toBe(200)
  expect(vapi.calls.size).toBe(1)
})

test('a provider that does not say whether it canceled is a 502, one that cannot a 409 with its words', async () => {
  const { org, vapi } = await caller()
  const { call_id: callId } = (await place(org)).body
  const cancel = () => org.post(`/voice/calls/${callId}/cancel`)
  vapi.isAway = true
  expect((await cancel()).status).toBe(502)
  vapi.isAway = false
  vapi.calls.clear()
  const cannot = await cancel()
  expect([cannot.status, cannot.body.detail]).toEqual([409, 'vapi cannot cancel it: no such call'])
})
