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

test('a code and a message of an error that are 100 KB long are shortened', async () => {
  // A longer answer would be cut off, and the outcome would be unknown.
  const text = 'x'.repeat(100_000)
  standIn.server.fault({
    on: dial,
    when: 'before',
    how: 'answer',
    status: 400,
    body: { code: text, msg: text },
  })
  const result = await provider.dispatch(orderOf(), 5_000)
  expect(result).toMatchObject({ outcome: 'refused', code: expect.stringMatching(/^x{100}$/) })
  expect(JSON.stringify(result).length).toBeLessThan(1_000)
})
