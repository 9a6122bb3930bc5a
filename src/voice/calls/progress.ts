import type { EventType } from '../../events/catalog.ts'
import { recordEventsBy } from '../../events/record.ts'
import type { Actor } from '../../platform/actor.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { Provider } from '../credentials.ts'
import { type ProviderCall, progressOf } from '../providers/provider.ts'
import { type CallRow, holdCall } from './calls.ts'
import type { CallStatus } from './schema.ts'
import { countEnded, countTalked } from './usage.ts'

/** How far a call is: before its provider has spoken, less than queued. */
const progress = (status: CallStatus): number =>
  status === 'dispatching' || status === 'unknown' ? -1 : progressOf(status)

const endedAt = progressOf('completed')

/** Whether a call that is so has ended. */
export const isEnd = (status: CallStatus): boolean => progress(status) === endedAt

/** When a provider that took a call is asked how it goes, or how long it was, if nothing else is heard. */
const firstCheck = '1 minute'

/** Whether nobody has said yet for how long a call was talked. */
export const lacksLength = ({ status, duration_seconds: seconds }: CallRow): boolean =>
  status === 'completed' && seconds === null

const actorOf = (orgId: string, { mode, api_key_id: apiKeyId }: CallRow): Actor => ({ orgId, mode, apiKeyId })

/**
 * Moves a call to what its provider says of it, if that is further than it is: reports come late, twice and out of order.
 * The caller holds the row.
 * @param dispatch where this is what came of dialling: what the provider answered, to be kept as well
 * @returns the call as it is then
 */
export async function advance(
  tx: OrgTx,
  orgId: string,
  call: CallRow,
  told: ProviderCall,
  dispatch?: unknown,
): Promise<CallRow> {
  if (call.ended && dispatch === undefined) return learnDuration(tx, orgId, call, told)
  const isFurther = !call.ended && progress(told.state) > progress(call.status)
  const providerCallId = call.provider_call_id ?? told.providerCallId
  if (!isFurther && providerCallId === call.provider_call_id && dispatch === undefined) return call
  const status = isFurther ? told.state : call.status
  const endsNow = isFurther && isEnd(status)
  const moved: CallRow = {
    ...call,
    status,
    ended: call.ended || endsNow,
    provider_call_id: providerCallId,
    duration_seconds: endsNow ? told.durationSeconds : call.duration_seconds,
    dispatch: dispatch ?? call.dispatch,
  }
  await write(tx, orgId, call, moved, null, dispatch)
  return moved
}

/** Why a call failed, in words for people. */
export type Failure = { code: string; message: string }

/** Ends a call that never came to be; it must not have ended. */
export async function fail(
  tx: OrgTx,
  orgId: string,
  call: CallRow,
  { code, message }: Failure,
): Promise<CallRow> {
  const moved: CallRow = { ...call, status: 'failed', ended: true, duration_seconds: 0 }
  await write(tx, orgId, call, moved, { code, message })
  return moved
}

/** Holds a call and moves it; undefined if there is none through this provider. */
export async function report(
  tx: OrgTx,
  orgId: string,
  callId: string,
  provider: Provider,
  told: ProviderCall,
): Promise<CallRow | undefined> {
  const call = await holdCall(tx, orgId, callId)
  return call?.provider === provider ? advance(tx, orgId, call, told) : undefined
}

async function write(
  tx: OrgTx,
  orgId: string,
  before: CallRow,
  after: CallRow,
  failure: Failure | null,
  dispatch?: unknown,
): Promise<void> {
  const { call_id: callId, status, provider_call_id, duration_seconds } = after
  const ended = after.ended && !before.ended
  const isTaken = progress(before.status) < 0 && failure === null && progress(status) >= 0
  const error = failure && (after.erased ? { ...failure, message: '' } : failure)
  const events: EventType[] = isTaken ? ['call.dispatched'] : []
  if (ended) events.push(`call.${status}` as EventType)
  await Promise.all([
    tx.run({
      text: `
        update call set status = $3, provider_call_id = $4, duration_seconds = $5, error = $6,
          ended_at = case when $7 then clock_timestamp() else ended_at end,
          slot_until = case when $7 then null else slot_until end,
          check_at = case when $10 then clock_timestamp() + $9::interval when $7 then null when ended_at is not null then check_at
            when $8::json is not null then clock_timestamp() + $9::interval else check_at end,
          dispatch = case when not erased then coalesce($8, dispatch) end,
          to_number = case when $7 and erased then null else to_number end
        where org_id = $1 and call_id = $2`,
      values: [
        ...[orgId, callId, status, provider_call_id, duration_seconds],
        ...[error && JSON.stringify(error), ended],
        ...[dispatch === undefined ? null : JSON.stringify(dispatch), firstCheck],
        ended && lacksLength(after) && !after.erased,
      ],
    }),
    events.length > 0 &&
      recordEventsBy(
        tx,
        actorOf(orgId, after),
        events.map((type) => ({ type, objectId: callId, data: { provider: after.provider } })),
      ),
    // Last: all calls of the org that end meet here.
    ended && countEnded(tx, orgId, { mode: after.mode, createdMs: after.created_ms }, duration_seconds ?? 0),
  ])
}

/** Some providers tell how long a call was only after they told that it ended. */
async function learnDuration(tx: OrgTx, orgId: string, call: CallRow, told: ProviderCall): Promise<CallRow> {
  const { durationSeconds } = told
  if (call.duration_seconds !== null || durationSeconds === null || told.state !== call.status) return call
  await tx.run({
    text: 'update call set duration_seconds = $3, check_at = null where org_id = $1 and call_id = $2',
    values: [orgId, call.call_id, durationSeconds],
  })
  await countTalked(tx, orgId, { mode: call.mode, createdMs: call.created_ms }, durationSeconds)
  return { ...call, duration_seconds: durationSeconds }
}
