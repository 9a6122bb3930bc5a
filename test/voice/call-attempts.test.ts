import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { patience } from '../support/patience.ts'
import { isReplay, standInCalls } from '../support/stand-in-calls.ts'

const app = await startTestApp({ publicUrl: 'https://crosswalk.example' })
afterAll(() => app.close())
const { caller, place, read, reconcile, passTime, slots } = standInCalls(app)

describe('dialing', () => {
  test('dialing a call sends all data that the provider needs', async () => {
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

  test('a call is dialed once for an idempotency key, and its answer is stored', async () => {
    const { org, vapi } = await caller()
    const answers = [await place(org, 'k'), await place(org, 'k')]
    expect(answers.map(isReplay)).toEqual([false, true])
    expect(answers[1]!.text).toBe(answers[0]!.text)
    expect(vapi.orders).toHaveLength(1)
  })

  test('while a call is being dialed, a retry gets 409 with Retry-After, and another request with the same key gets 422', async () => {
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
    ['if it has one', 'k'],
    ['if it has none', undefined],
  ])(
    'a call that the provider refuses gets 502, and leaves its slot and its idempotency key free (%s)',
    async (_name, key) => {
      const { org, vapi } = await caller()
      vapi.onDispatch = () => ({ outcome: 'refused', code: '21211', message: 'The number is not valid.' })
      const refused = await place(org, key)
      expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
        502,
        'call_refused',
        'vapi did not accept the call (21211): The number is not valid. No phone rang.',
      ])
      expect(await slots(org)).toBe(0)
      const [call] = (await org.get('/voice/calls')).body.data
      expect(call).toMatchObject({
        status: 'failed',
        error: { code: 'call_refused', message: 'The number is not valid. (21211)' },
      })
      vapi.onDispatch = (order) => vapi.take(order)
      expect((await place(org, key)).body.status).toBe('dispatched')
    },
  )

  test('a call with an unknown outcome is never dialed again; polling the provider updates the call', async () => {
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

  test('a call fails after 90 s if the provider never received the call', async () => {
    const { org, vapi } = await caller()
    vapi.onDispatch = () => ({ outcome: 'unknown', reason: 'no answer' })
    const { call_id: callId } = (await place(org, 'k')).body
    await reconcile(30_000)
    expect((await read(org, callId)).status).toBe('unknown')
    await reconcile(99_000)
    expect(await read(org, callId)).toMatchObject({ status: 'failed', error: { code: 'call_never_dialed' } })
    expect(await slots(org)).toBe(0)
    expect(vapi.orders).toHaveLength(1)
  })

  test.each([
    ['that had dialed a call', true, 'dispatched', 'queued'],
    ['that had not dialed a call yet', false, 'failed', 'failed'],
  ])(
    'after the death of a process %s, a retry gets the current state of the call',
    async (_name, dialed, answer, status) => {
      const { org, vapi } = await caller()
      vapi.onDispatch = (order) => {
        if (dialed) vapi.take(order)
        // The process is dead: it never continues.
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

test('an API key of test mode cannot cancel a live call', async () => {
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

test('a cancellation that the provider does not confirm gets 502 for an unclear answer and 409 for a refusal with its message', async () => {
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
