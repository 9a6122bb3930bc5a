import twilio from 'twilio'
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import { describe, expect, test } from 'vitest'
import { BadSignature } from '../../src/voice/providers/provider.ts'
import { stageSchedules } from '../support/stand-ins/calls.ts'
import { orderOf } from '../support/stand-ins/dispatching.ts'
import { useTwilio } from '../support/stand-ins/use-twilio.ts'

const { standIn, receiver, provider, providerAt, since, withCallback } = await useTwilio()

describe('status callbacks', () => {
  test.each([
    ['completed', ['ringing', 'in_progress', 'completed']],
    ['busy', ['ringing', 'busy']],
    ['no_answer', ['ringing', 'no_answer']],
    ['failed', ['failed']],
  ] as const)('callbacks report a call that is %s', async (course, states) => {
    standIn.calls.course = stageSchedules[course]
    const order = withCallback()
    await provider.dispatch(order, 5_000)
    await standIn.calls.advance(120_000)
    expect(receiver.states).toEqual(states)
    const last = receiver.heard.at(-1)
    const seconds = course === 'completed' ? 20 : null
    expect(last).toMatchObject({ callId: order.callId, call: { durationSeconds: seconds } })
    expect(await provider.find(order, since())).toMatchObject({
      state: states.at(-1),
      durationSeconds: seconds,
    })
  })

  test('late and repeated callbacks are accepted, and edited callbacks are refused', async () => {
    standIn.calls.holdsCallbacks = true
    await provider.dispatch(withCallback(), 5_000)
    await standIn.calls.advance(60_000)
    const made = standIn.calls.callbacks.slice(-3)
    for (const callback of [made[2]!, made[0]!, made[2]!]) await standIn.calls.send(callback)
    expect(receiver.states).toEqual(['completed', 'ringing', 'completed'])
    const request = receiver.requests.at(-1)!
    const signature = request.headers['x-twilio-signature']!
    const refused = [
      { ...request, body: Buffer.from(request.body.toString().replace('completed', 'failed')) },
      { ...request, url: request.url.replace('orgtoken', 'othertoken') },
      { ...request, url: request.url.replace(/call_id=.*/, `call_id=${orderOf().callId}`) },
      { ...request, headers: {} },
      { ...request, headers: { 'x-twilio-signature': `${signature}=` } },
      { ...request, headers: { 'x-twilio-signature': signature.toLowerCase() } },
    ]
    for (const each of refused) await expect(provider.parseCallback(each)).rejects.toThrow(BadSignature)
    await expect(providerAt(standIn.server.url, 'another-token').parseCallback(request)).rejects.toThrow(
      BadSignature,
    )
  })

  test('Twilio’s SDK accepts the signature of each callback of the stand-in, for any address and form', async () => {
    const urls = [
      'https://a.example/x',
      'https://a.example:443/x?b=1&a=2',
      'http://a.example:80/x?q=%27%20+',
      'https://a.example:8443/x',
      "https://a.example/it's?x=1",
      'https://user:pass@a.example/x',
      'https://[2001:db8::1]:443/x?y',
    ]
    const forms = [
      '',
      'b=2&a=1',
      'To=%2B1415&CallStatus=',
      'a=2&a=1&a=2',
      'a%20b=c+d&%C3%A9=%F0%9F%93%9E',
      'A=1&a=2&_=3',
    ]
    for (const url of urls) {
      for (const body of forms) {
        const fields = new URLSearchParams(body)
        const params = Object.fromEntries(
          [...fields.keys()].map((name) => [
            name,
            fields.getAll(name).length > 1 ? fields.getAll(name) : fields.get(name),
          ]),
        )
        // Twilio signs the address with or without its port.
        for (const called of [url, url.replace(/:(443|80)\//, '/')]) {
          const signature = getExpectedTwilioSignature(standIn.authToken, called, params)
          const headers = { 'x-twilio-signature': signature }
          const request = { orgId: 'org', url, headers, body: Buffer.from(body) }
          expect(twilio.validateRequest(standIn.authToken, signature, url, params)).toBe(true)
          expect(await provider.parseCallback(request)).toBeNull()
          const changed = { ...request, body: Buffer.from(`${body}&more=1`) }
          await expect(provider.parseCallback(changed)).rejects.toThrow(BadSignature)
        }
      }
    }
  })
})
