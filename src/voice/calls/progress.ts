import type { EventType } from '../../events/catalog.ts'
import { recordEvents } from '../../events/record.ts'
import { systemOf } from '../../platform/actor.ts'
import type { Author } from '../../platform/db/database.ts'
import { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { authorOf } from '../../platform/jobs/actor-payload.ts'
import type { ProviderName } from '../credentials.ts'
import { type ProviderCall, progressOf } from '../providers/provider.ts'
import { type CallRow, lockCall } from './calls.ts'
import type { CallError, CallStatus } from './schema.ts'
import { countDuration, countEnded } from './usage.ts'

/** The rank of each state of a call. A call that its provider has not confirmed comes before `queued`. */
const progress = (status: CallStatus): number =>
  status === 'dispatching' || status === 'unknown' ? -1 : progressOf(status)

const endProgress = progressOf('completed')

/** True if a call with this status has ended. */
export const isFinalStatus = (status: CallStatus): boolean => progress(status) === endProgress

/** When a confirmed call, or a missing duration, is first polled. A callback may come earlier. */
const firstPoll = sql`clock_timestamp() + interval '1 minute'`

/** Returns whether a call had a conversation of unknown duration. */
export const durationUnknown = ({ status, duration_seconds: seconds }: CallRow): boolean =>
  status === 'completed' && seconds === null

/**
 * Moves a locked call forward to the state that its provider reports. Reports can be late, repeated or out of order: a
 * report that is not further than the call changes nothing.
 * @param answer the provider's answer to the dispatch; undefined for other reports
 * @returns the call after the move
 */
export async function advanceCall(
  tx: OrgTx,
  call: CallRow,
  reported: ProviderCall,
  answer?: unknown,
): Promise<CallRow> {
  if (call.ended && answer === undefined) return learnDuration(tx, call, reported)
  const isFurther = !call.ended && progress(reported.state) > progress(call.status)
  const providerCallId = call.provider_call_id ?? reported.providerCallId
  if (!isFurther && providerCallId === call.provider_call_id && answer === undefined) return call
  const status = isFurther ? reported.state : call.status
  const endsNow = isFurther && isFinalStatus(status)
  const moved: CallRow = {
    ...call,
    status,
    ended: call.ended || endsNow,
    provider_call_id: providerCallId,
    duration_seconds: endsNow ? reported.durationSeconds : call.duration_seconds,
    dispatch: answer ?? call.dispatch,
  }
  await writeCall(tx, call, moved, { answer })
  return moved
}

/** Ends a locked call as failed, without a conversation. Returns the call after the change. */
export async function failCall(tx: OrgTx, call: CallRow, { code, message }: CallError): Promise<CallRow> {
  const moved: CallRow = { ...call, status: 'failed', ended: true, duration_seconds: 0 }
  await writeCall(tx, call, moved, { failure: { code, message } })
  return moved
}

/** Locks a call and moves it forward. Returns undefined if the org has no such call through this provider. */
export async function advanceReportedCall(
  tx: OrgTx,
  callId: string,
  provider: ProviderName,
  reported: ProviderCall,
): Promise<CallRow | undefined> {
  const call = await lockCall(tx, callId)
  return call?.provider === provider ? advanceCall(tx, call, reported) : undefined
}

async function writeCall(
  tx: OrgTx,
  before: CallRow,
  after: CallRow,
  { failure, answer }: { failure?: CallError; answer?: unknown },
): Promise<void> {
  const { call_id: callId, status } = after
  const endsNow = after.ended && !before.ended
  const error = failure && JSON.stringify(after.erased ? { ...failure, message: '' } : failure)
  await Promise.all([
    tx.run(sql`
      update call set status = ${status}, provider_call_id = ${after.provider_call_id},
        duration_seconds = ${after.duration_seconds}, error = ${error ?? null},
        dispatch = case when not erased then coalesce(${answer === undefined ? null : JSON.stringify(answer)}, dispatch) end,
        check_at = ${nextPoll(after, endsNow, answer)}
        ${endsNow ? sql`, ended_at = clock_timestamp(), slot_until = null, to_number = case when not erased then to_number end` : sql``}
      where org_id = ${tx.orgId} and call_id = ${callId}`),
    recordProgress(tx, before, after, failure === undefined),
    // Count last: every call of the org locks this row when it ends.
    endsNow && countEnded(tx, after, after.duration_seconds ?? 0),
  ])
}

function nextPoll(after: CallRow, endsNow: boolean, answer: unknown) {
  if (endsNow) return durationUnknown(after) && !after.erased ? firstPoll : null
  return after.ended || answer === undefined ? sql`check_at` : firstPoll
}

/** Records events for a call that the provider accepted, and for its end. */
async function recordProgress(
  tx: OrgTx,
  before: CallRow,
  after: CallRow,
  isProviders: boolean,
): Promise<void> {
  const types: EventType[] = []
  if (isProviders && progress(before.status) < 0 && progress(after.status) >= 0) types.push('call.dispatched')
  if (after.ended && !before.ended) types.push(`call.${after.status}` as EventType)
  if (types.length === 0) return
  const { call_id: objectId, provider } = after
  // Events of callbacks and polls also name the API key or member that placed the call.
  await Promise.all(
    types.map((type) => {
      const author = type === 'call.canceled' ? cancelerOf(after) : authorOf(after)
      const tracked = new OrgTx(tx, { ...systemOf(tx.orgId), ...author })
      return recordEvents(tracked, [{ type, objectId, data: { provider } }])
    }),
  )
}

/**
 * The actor in the event of a canceled call: the API key or member that asked to cancel it or, if nobody asked, that
 * placed it.
 */
function cancelerOf(call: CallRow): Author {
  const { mode, canceled_by_api_key_id: api_key_id, canceled_by_member_id: member_id } = call
  if (api_key_id === null && member_id === null) return authorOf(call)
  return authorOf({ mode, api_key_id, member_id, connected_app_id: call.canceled_by_connected_app_id })
}

/** Stores the duration of an ended call. Some providers report it only after the end. */
async function learnDuration(tx: OrgTx, call: CallRow, reported: ProviderCall): Promise<CallRow> {
  const { durationSeconds } = reported
  if (call.duration_seconds !== null || durationSeconds === null || reported.state !== call.status)
    return call
  await tx.run(sql`
    update call set duration_seconds = ${durationSeconds}, check_at = null
    where org_id = ${tx.orgId} and call_id = ${call.call_id}`)
  await countDuration(tx, call, durationSeconds)
  return { ...call, duration_seconds: durationSeconds }
}
