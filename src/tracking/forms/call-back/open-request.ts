import { recordEvents } from '../../../events/record.ts'
import { lockExclusive } from '../../../platform/db/advisory-lock.ts'
import { newId } from '../../../platform/db/new-id.ts'
import type { OrgTx } from '../../../platform/db/org-tx.ts'
import { sql } from '../../../platform/db/sql.ts'
import { objectionTo } from '../../../voice/calls/objections.ts'
import { hoursOf, readPolicy } from '../../../voice/calls/policy.ts'
import type { FormDefinition } from '../schema.ts'
import { type Callee, readCalleeOf } from './callee.ts'
import { nextOpenTime, timeZonesOf } from './hours.ts'
import { automaticLimitReached, limitReached } from './limits.ts'
import type { Doubt, Refused } from './reasons.ts'
import type { CallBack } from './settings.ts'

/** An accepted submission, with facts that are known only while it is received. */
export type Asked = {
  submissionId: string
  formId: string
  formVersion: number
  definition: FormDefinition
  answers: Readonly<Record<string, unknown>>
  visitorId: string
  mode: 'live' | 'test'
  /** Whether the page solved a proof of work that no other submission used. */
  isProven: boolean
  /** Whether the network of the client asked for three calls in an hour. */
  isOverCallLimit: boolean
}

/** A call that Crosswalk places by itself. */
export type ScheduledCall = { requestId: string; callAt: Date }

type Plan =
  | { status: 'waiting'; reason: Doubt | null }
  | { status: 'scheduled'; reason: null; callAt: number }

/**
 * Stores the call-back request, if the form asks for one. The same submission makes only one.
 *
 * A refused request runs the same statements as an accepted one. Otherwise the time of the answer would tell whether
 * somebody with this number asked before, or must not be called.
 * @returns the scheduled call, for which the caller enqueues a job; null: nobody is called without a person. The job of a
 * refused request does nothing
 */
export async function openRequest(tx: OrgTx, asked: Asked): Promise<ScheduledCall | null> {
  const { submissionId, formId, formVersion, definition, visitorId, mode } = asked
  const callee = readCalleeOf(definition, asked.answers)
  const callBack = definition.call_back
  if (callee === null || 'problem' in callee || !callBack) return null
  // The limits are exact: requests of an organization are counted one after another.
  await lockExclusive(tx, `call-back requests ${tx.orgId}`)
  const refused = await refusalOf(tx, asked, callee.number)
  const plan = await planOf(tx, asked, callee, callBack)
  const requestId = newId()
  const callAt = plan.status === 'scheduled' ? new Date(plan.callAt) : null
  const { status, reason } = refused === null ? plan : { status: 'refused', reason: refused }
  const isScheduled = status === 'scheduled'
  const stored = await tx.first(sql<{ request_id: string }>`
    insert into call_back_request (org_id, request_id, submission_id, form_id, form_version, visitor_id, mode, status,
      reason, number, country, call_at, automatic)
    values (${tx.orgId}, ${requestId}, ${submissionId}, ${formId}, ${formVersion}, ${visitorId}, ${mode}, ${status},
      ${reason}, ${callee.number}, ${callee.country}, ${isScheduled ? callAt : null}, ${isScheduled})
    on conflict (org_id, submission_id) do update set status = excluded.status, reason = excluded.reason
      where call_back_request.status = 'refused' and call_back_request.reason = 'spam'
    returning request_id`)
  if (!stored) return null
  const type = refused === null ? 'call_back_request.created' : 'call_back_request.refused'
  await recordEvents(tx, [{ type, objectId: stored.request_id, data: { form_id: formId } }])
  return callAt && { requestId: stored.request_id, callAt }
}

async function refusalOf(
  tx: OrgTx,
  { isOverCallLimit, visitorId, mode }: Asked,
  number: string,
): Promise<Refused | null> {
  const limit = await limitReached(tx, { number, visitorId, mode })
  const objection = await objectionTo(tx, number)
  return (isOverCallLimit ? 'address_limit' : null) ?? limit ?? objection
}

/** What happens to a request that is not refused. */
async function planOf(
  tx: OrgTx,
  { formId, mode, isProven }: Asked,
  { country }: Callee,
  callBack: CallBack,
): Promise<Plan> {
  if (callBack.approval === 'manual') return { status: 'waiting', reason: null }
  if (!isProven) return { status: 'waiting', reason: 'proof_missing' }
  const limit = await automaticLimitReached(tx, { formId, mode, dailyLimit: callBack.daily_limit })
  if (limit) return { status: 'waiting', reason: limit }
  const now = Date.now()
  const hours = [callBack.hours, hoursOf(await readPolicy(tx, now))].filter((each) => each !== null)
  const callAt = nextOpenTime(hours, timeZonesOf(country), now)
  return callAt === null
    ? { status: 'waiting', reason: 'hours_closed' }
    : { status: 'scheduled', reason: null, callAt }
}
