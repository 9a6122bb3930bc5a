import { expect, test } from 'vitest'
import { callOfParticipant } from '../../src/voice/providers/livekit-participant.ts'
import { orderOf } from '../support/stand-ins/dispatching.ts'
import { useLivekit } from '../support/stand-ins/use-livekit.ts'

const { standIn, provider } = await useLivekit()
const dial = /CreateSIPParticipant/
/** Lists show the id and the error of each call, so a hundred long ones would use up the memory. */
const long = 'x'.repeat(200_000)

test.each([
  ['is 200 KB long', long],
  ['has a NUL', 'SCL_\u0000'],
  ['has a line break', 'SCL_1\nSCL_2'],
])('if the id of a dialed call %s, the outcome is unknown, and nothing of it is stored', async (_, id) => {
  standIn.server.fault({ on: dial, when: 'after', how: 'answer', status: 200, body: { sip_call_id: id } })
  const result = await provider.dispatch(orderOf(), 5_000)
  expect(result).toEqual({ outcome: 'unknown', reason: expect.stringContaining('cannot be read') })
  expect(callOfParticipant({ attributes: { 'sip.callID': id, 'sip.callStatus': 'active' } })).toBeNull()
})

test.each([
  ['of 14 KB is read, and its texts are shortened', 7_000, /^x{100}$/],
  ['of 200 KB is not parsed, and its start is the message', 100_000, /^http_400$/],
])('an error %s', async (_, length, code) => {
  const text = 'x'.repeat(length)
  const body = { code: text, msg: text }
  standIn.server.fault({ on: dial, when: 'before', how: 'answer', status: 400, body })
  const result = await provider.dispatch(orderOf(), 5_000)
  expect(result).toMatchObject({ outcome: 'refused', code: expect.stringMatching(code) })
  expect(JSON.stringify(result).length).toBeLessThan(1_000)
})

test('an answer of 200 KB to the request for an agent is not parsed, and nobody is dialed', async () => {
  const body = { id: 'AD_1', text: long }
  standIn.server.fault({ on: /CreateDispatch/, when: 'after', how: 'answer', status: 200, body })
  const order = orderOf()
  const result = await provider.dispatch(order, 5_000)
  expect(result).toMatchObject({ outcome: 'refused', code: 'http_200' })
  expect([standIn.calls.dialsOf(order.callId), standIn.rooms.has(`call-${order.callId}`)]).toEqual([0, false])
})

test('an answer may repeat long instructions and variables, with each character escaped', async () => {
  const variables = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`v${at}`, '"'.repeat(2_000)]))
  const order = orderOf({ instructions: '"'.repeat(20_000), variables })
  const result = await provider.dispatch(order, 5_000)
  expect(result.outcome).toBe('dispatched')
})

test('an agent is removed from the call even if the answer to the removal has 200 KB', async () => {
  const tooLong = { how: 'answer', status: 200, body: { text: long } } as const
  standIn.server.fault({ on: /DeleteDispatch/, when: 'after', ...tooLong })
  const refusal = { code: 'invalid_argument', msg: 'no trunk' }
  standIn.server.fault({ on: dial, when: 'before', how: 'answer', status: 400, body: refusal })
  const order = orderOf()
  const result = await provider.dispatch(order, 5_000)
  expect(result).toMatchObject({ outcome: 'refused', code: 'invalid_argument' })
  expect(standIn.rooms.get(`call-${order.callId}`)?.dispatches).toEqual([])
})
