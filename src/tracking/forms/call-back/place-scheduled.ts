import { recordEvents } from '../../../events/record.ts'
import type { Context } from '../../../platform/context.ts'
import type { Org } from '../../../platform/db/org.ts'
import type { OrgTx } from '../../../platform/db/org-tx.ts'
import { sql } from '../../../platform/db/sql.ts'
import { DomainError } from '../../../platform/domain-error.ts'
import { effectWithoutKey } from '../../../platform/http/effect-transactions.ts'
import { placeOrdered } from '../../../voice/calls/place.ts'
import { hoursOf, readPolicy } from '../../../voice/calls/policy.ts'
import { nextOpenTime, timeZonesOf } from './hours.ts'
import { orderOf } from './place.ts'
import type { Doubt, Refused } from './reasons.ts'
import { lockRequest, markCalled, type RequestRow } from './requests.ts'
import { placeCallBackJob } from './scheduled.ts'

/** How long a call waits while another automatic call of the organization runs, or its cap is reached. */
const busyMs = 30_000

/** Why a scheduled request is not called now. */
class NotNow extends Error {
  readonly next: { waitsFor: Doubt } | { at: number | null } | 'over'

  constructor(next: NotNow['next']) {
    super('the request is not called now')
    this.next = next
  }
}

/** Calls the person of a scheduled request, or says when to call. Repeating it never dials twice. */
export async function placeScheduled(context: Context, orgId: string, requestId: string): Promise<void> {
  const mode = await context.database.org(orgId).read((tx) => readMode(tx, requestId))
  if (mode === null) return
  const org = context.database.org(orgId, { mode })
  const placing = { org, caller: { mode }, context, once: effectWithoutKey(org) }
  try {
    await placeOrdered(placing, async (tx, callId) => {
      const row = await requireDue(tx, await lockRequest(tx, requestId))
      await markCalled(tx, requestId, { callId, isAutomatic: true })
      return orderOf(tx, requestId, row, timeZonesOf(row.country))
    })
  } catch (error) {
    await postpone(context, org, requestId, nextStepOf(error))
  }
}

/** Leaves a scheduled request to a person. */
export const leaveToPerson = (context: Context, orgId: string, requestId: string): Promise<void> =>
  postpone(context, context.database.org(orgId), requestId, { waitsFor: 'call_not_allowed' })

async function readMode(tx: OrgTx, requestId: string): Promise<'live' | 'test' | null> {
  const row = await tx.first(sql<{ mode: 'live' | 'test' }>`
    select mode from call_back_request
    where org_id = ${tx.orgId} and request_id = ${requestId} and status = 'scheduled'`)
  return row?.mode ?? null
}

/** Checks all conditions of automatic calls again, except those of each call. @throws NotNow */
async function requireDue(tx: OrgTx, row: RequestRow | undefined): Promise<RequestRow> {
  if (row?.status !== 'scheduled' || row.is_old) throw new NotNow('over')
  const { call_back: callBack, country } = row
  if (
    !row.is_live ||
    !row.is_asked ||
    callBack.approval !== 'automatic' ||
    !callBack.countries.includes(country)
  )
    throw new NotNow({ waitsFor: 'settings_changed' })
  const now = Date.now()
  const hours = [callBack.hours, hoursOf(await readPolicy(tx, now))].filter((each) => each !== null)
  const opens = nextOpenTime(hours, timeZonesOf(country), now)
  if (opens !== now) throw new NotNow({ at: opens })
  const running = await tx.first(sql`
    select from call c join call_back_request r on r.org_id = c.org_id and r.call_id = c.call_id
    where c.org_id = ${tx.orgId} and r.automatic and c.mode = ${row.mode} and c.slot_until > clock_timestamp()
    limit 1`)
  if (running) throw new NotNow({ at: now + busyMs })
  return row
}

type NextStep = NotNow['next'] | { refused: Refused }

/** @throws the error itself, if the job must run again */
function nextStepOf(error: unknown): NextStep {
  if (error instanceof NotNow) return error.next
  if (!(error instanceof DomainError)) throw error
  // The provider refused the call, which was the only attempt.
  if (error.kind === 'bad_gateway') return 'over'
  if (error.kind === 'too_many') return { at: Date.now() + busyMs }
  if (error.code === 'consent_denied' || error.code === 'number_suppressed') return { refused: error.code }
  return { waitsFor: 'call_not_allowed' }
}

async function postpone(context: Context, org: Org, requestId: string, next: NextStep): Promise<void> {
  if (next === 'over') return
  await org.transact(async (tx) => {
    const row = await lockRequest(tx, requestId)
    if (row?.status !== 'scheduled') return
    if ('at' in next && next.at !== null) {
      const startAfter = new Date(next.at)
      await tx.run(sql`
        update call_back_request set call_at = ${startAfter}
        where org_id = ${tx.orgId} and request_id = ${requestId}`)
      return context.jobs.enqueue(
        tx,
        placeCallBackJob,
        { org_id: tx.orgId, request_id: requestId },
        { startAfter },
      )
    }
    const [status, reason] =
      'refused' in next
        ? (['refused', next.refused] as const)
        : (['waiting', 'waitsFor' in next ? next.waitsFor : 'hours_closed'] as const)
    await tx.run(sql`
      update call_back_request set status = ${status}, reason = ${reason}, call_at = null, automatic = false
      where org_id = ${tx.orgId} and request_id = ${requestId}`)
    if (status === 'refused') {
      const data = { form_id: row.form_id }
      await recordEvents(tx, [{ type: 'call_back_request.refused', objectId: requestId, data }])
    }
  })
}
