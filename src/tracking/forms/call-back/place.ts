import type { Caller } from '../../../platform/caller.ts'
import type { Context } from '../../../platform/context.ts'
import type { Org } from '../../../platform/db/org.ts'
import type { OrgTx } from '../../../platform/db/org-tx.ts'
import { conflict, invalid } from '../../../platform/domain-error.ts'
import type { EffectTransactions } from '../../../platform/http/effect-transactions.ts'
import { placeOrdered } from '../../../voice/calls/place.ts'
import { hoursOf, readPolicy } from '../../../voice/calls/policy.ts'
import type { PlaceCall, PlacedCall } from '../../../voice/calls/schema.ts'
import { closedZone, timeZonesOf } from './hours.ts'
import { lockUndecided, markCalled, type RequestRow } from './requests.ts'

/**
 * Approves a request, and calls the person. One transaction stores the approval and the call, so two approvals, or a crash
 * after it, never dial twice.
 * @param timezone the time zone of the person; null: the hours must be open in the whole country
 * @throws DomainError not_found; conflict if it was decided, has expired or has another mode; the errors of a call
 */
export function approveRequest(
  request: { org: Org; caller: Caller; context: Context; once: EffectTransactions },
  requestId: string,
  timezone: string | null,
): Promise<PlacedCall> {
  return placeOrdered(request, async (tx, callId) => {
    const row = await lockUndecided(tx, requestId)
    // Neither a test key nor a test of a form may make a phone ring.
    if (row.mode !== request.caller.mode)
      throw conflict(
        'call_back_request_other_mode',
        `This request has the mode ${row.mode}: approve it in this mode, or with an API key of this mode.`,
      )
    await markCalled(tx, requestId, { callId, isAutomatic: false })
    return orderOf(tx, requestId, row, timezone === null ? timeZonesOf(row.country) : [timezone])
  })
}

/**
 * Returns what to dial.
 * @throws DomainError invalid outside of the hours of the form
 */
export async function orderOf(
  tx: OrgTx,
  requestId: string,
  { number, form_id: formId, form_name: formName, call_back: callBack }: RequestRow,
  zones: readonly string[],
): Promise<PlaceCall> {
  const now = Date.now()
  const closed = closedZone([callBack.hours], zones, now)
  if (closed) throw invalid('outside_calling_hours', closed.reason)
  const policyHours = hoursOf(await readPolicy(tx, now))
  // A call is checked in one time zone. If the hours are closed in one of the zones, check that one.
  const timezone = (policyHours && closedZone([policyHours], zones, now)?.zone) ?? zones[0]
  return {
    to_number: number,
    from_number: callBack.from_number,
    timezone,
    dry_run: false,
    persona_id: callBack.persona_id,
    instructions: [asked(formName), callBack.instructions].filter(Boolean).join('\n\n'),
    // The agent gets no answers of the form: a visitor could write instructions into them.
    variables: {},
    metadata: { call_back_request_id: requestId, form_id: formId },
  }
}

const asked = (formName: string) =>
  `Somebody asked for this call in the form “${formName}” on a web page. First ask whether this person asked for it. If not, apologize, and end the call.`
