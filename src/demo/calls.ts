import { v7 } from 'uuid'
import { newId } from '../platform/db/new-id.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { saveOutcome } from '../voice/calls/attempts.ts'
import { insertCall, type NewCall } from '../voice/calls/calls.ts'
import { deadlines } from '../voice/calls/limits.ts'
import { advanceCall } from '../voice/calls/progress.ts'
import type { CallState, DispatchOutcome } from '../voice/providers/provider.ts'
import type { ContactInput } from './contacts.ts'

const ringSeconds = 6

/** The calls, oldest first. `seconds` is the duration of the conversation. */
const calls: readonly { end: CallState; seconds: number; instructions: string }[] = [
  { end: 'completed', seconds: 194, instructions: 'Confirm the visit tomorrow at 10:00.' },
  { end: 'no_answer', seconds: 0, instructions: 'Confirm the visit tomorrow at 11:30.' },
  { end: 'completed', seconds: 87, instructions: 'Ask whether the delivery arrived complete.' },
  { end: 'busy', seconds: 0, instructions: 'Ask for a new date for the training.' },
  { end: 'completed', seconds: 41, instructions: 'Confirm the visit tomorrow at 14:00.' },
]

const refusal: DispatchOutcome = {
  ...{ outcome: 'refused', code: '400' },
  message: 'The simulator refuses this number.',
}

/**
 * Adds calls that have ended, and one that the simulator refused. No phone rang.
 * @param from the number of the organization
 */
export async function addCalls(
  tx: OrgTx,
  from: string,
  people: readonly ContactInput[],
  personaIds: readonly string[],
): Promise<void> {
  const reachable = people.flatMap(({ phone, consent }) =>
    phone !== undefined && consent?.phone === 'granted' ? [phone] : [],
  )
  const place = async (to: string, instructions: string, secondsAgo: number) => {
    const callId = v7({ msecs: Date.now() - secondsAgo * 1000 })
    const call: NewCall = {
      ...{ callId, to, from, personaId: personaIds[0] ?? null, instructions },
      ...{ provider: 'simulator', variables: {}, metadata: {} },
    }
    await insertCall(tx, call, calls.length + 1, deadlines)
    return callId
  }
  for (const [index, { end, seconds, instructions }] of calls.entries()) {
    const callId = await place(reachable[index] ?? from, instructions, seconds + ringSeconds)
    const call = { providerCallId: newId(), durationSeconds: seconds }
    const answer = { simulated_call_id: call.providerCallId, call_id: callId, state: 'queued' }
    const accepted = { ...call, state: 'queued' as const, durationSeconds: null }
    const placed = await saveOutcome(tx, callId, { outcome: 'dispatched', call: accepted, answer })
    await advanceCall(tx, placed, { ...call, state: end })
  }
  const refusedId = await place('+12025550110', 'Confirm the visit tomorrow at 16:00.', 0)
  await saveOutcome(tx, refusedId, refusal)
}
