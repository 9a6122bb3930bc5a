import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { DispatchOutcome, ProviderCall, RefusedCall } from '../providers/provider.ts'
import { type CallRow, lockCall } from './calls.ts'
import { absentAfterMs, longestCallMs, pollingEndsAfterMs } from './limits.ts'
import { advanceCall, durationUnknown, failCall, isFinalStatus } from './progress.ts'
import { type CallError, callErrors } from './schema.ts'

/** Returns whether the provider has not yet confirmed that it has the call. */
const isUnconfirmed = ({ status }: CallRow) => status === 'dispatching' || status === 'unknown'

/**
 * Stores the outcome of the attempt to dial, and returns the call. A callback may already have moved the call
 * further.
 */
export async function saveOutcome(tx: OrgTx, callId: string, outcome: DispatchOutcome): Promise<CallRow> {
  const call = await lockCall(tx, callId)
  if (!call) throw new Error(`Call ${callId} was committed before it was dialed, and is missing`)
  switch (outcome.outcome) {
    case 'dispatched':
      return advanceCall(tx, call, outcome.call, outcome.answer)
    case 'refused':
      // If the call is confirmed, a callback proved that it was dialed, although the provider answered with an error.
      return isUnconfirmed(call) ? failCall(tx, call, errorOf(outcome)) : call
    case 'unknown':
      if (!isUnconfirmed(call)) return call
      await tx.run(sql`
        update call set status = 'unknown', check_at = clock_timestamp() + interval '1 second'
        where org_id = ${tx.orgId} and call_id = ${callId}`)
      return { ...call, status: 'unknown' }
  }
}

/** The message includes the provider's own code. */
function errorOf({ code, message, problem }: RefusedCall): CallError {
  const own = callErrors.find((each) => each === problem?.code)
  return own ? { code: own, message } : { code: 'call_refused', message: `${message} (${code})` }
}

/**
 * The result of polling a provider: the call, `absent` if the provider does not have it, or `silent` if there is no
 * clear answer.
 */
export type PollResult = { call: ProviderCall } | 'absent' | 'silent'

/**
 * Stores the result of a poll, and when to poll next.
 * @param now Unix milliseconds
 */
export async function savePollResult(
  tx: OrgTx,
  callId: string,
  found: PollResult,
  now: number,
  nextSeconds: number,
): Promise<void> {
  const before = await lockCall(tx, callId)
  if (!before) return
  const reported = typeof found === 'object' ? found.call : null
  const call = reported ? await advanceCall(tx, before, reported) : before
  const age = now - call.created_ms
  const next = sql`to_timestamp(${now} / 1000.0) + make_interval(secs => ${nextSeconds})`
  const countPoll = (isLast: boolean) =>
    tx.run(sql`
      update call
      set status = case when status = 'dispatching' then 'unknown' else status end, checks = checks + 1,
        check_at = ${isLast ? null : next}
      where org_id = ${tx.orgId} and call_id = ${callId}`)
  if (before.ended) {
    if (!durationUnknown(before)) return
    // A running call may report a duration, but only the report of an ended call is final.
    const isFinal = reported ? isFinalStatus(reported.state) : found === 'absent'
    if (durationUnknown(call)) await countPoll(isFinal || age > pollingEndsAfterMs)
    return
  }
  if (call.ended) return
  const failure = failureOf(call, found, age)
  if (failure) await failCall(tx, call, failure)
  else if (found === 'absent' && age > longestCallMs) await endForgotten(tx, call)
  else await countPoll(false)
}

/** Why polling a call ends without a result; null: poll again. */
function failureOf(call: CallRow, found: PollResult, age: number) {
  if (found === 'absent' && isUnconfirmed(call) && age > absentAfterMs) return absentFailure
  // End here even if the provider still reports the call as running: no conversation lasts a day.
  return age > pollingEndsAfterMs ? silentFailure : null
}

/**
 * Ends a call whose last callback was lost, if its provider forgets ended calls (LiveKit). The call has ended,
 * because the provider ends it after `maxDurationSeconds`.
 */
async function endForgotten(tx: OrgTx, call: CallRow): Promise<void> {
  const { provider_call_id: providerCallId } = call
  if (call.status === 'in_progress' && providerCallId !== null)
    await advanceCall(tx, call, { providerCallId, state: 'completed', durationSeconds: null })
  else await failCall(tx, call, forgottenFailure)
}

const absentFailure: CallError = {
  code: 'call_never_dialed',
  message: 'The provider has no such call: nobody was dialed.',
}
const forgottenFailure: CallError = {
  code: 'call_end_unknown',
  message: 'The provider did not report the end of the call, and no longer has the call.',
}
const silentFailure: CallError = {
  code: 'call_result_unknown',
  message: 'The provider did not report the result of the call within a day.',
}
