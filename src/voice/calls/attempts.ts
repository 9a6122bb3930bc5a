import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { DispatchOutcome, ProviderCall } from '../providers/provider.ts'
import { type CallRow, holdCall } from './calls.ts'
import { absentAfterMs, givenUpAfterMs } from './limits.ts'
import { advance, fail, isEnd, lacksLength } from './progress.ts'

const isUnsettled = ({ status }: CallRow) => status === 'dispatching' || status === 'unknown'

/** Stores what came of the attempt to dial; the call as it is then, further than that if its provider has reported. */
export async function settle(
  tx: OrgTx,
  orgId: string,
  callId: string,
  outcome: DispatchOutcome,
): Promise<CallRow> {
  const call = (await holdCall(tx, orgId, callId))!
  switch (outcome.outcome) {
    case 'dispatched':
      return advance(tx, orgId, call, outcome.call, outcome.answer)
    case 'refused':
      // A call whose provider has told how it goes was dialled, whatever the provider answered.
      return isUnsettled(call) ? fail(tx, orgId, call, outcome) : call
    case 'unknown':
      if (!isUnsettled(call)) return call
      await tx.run({
        text: `
          update call set status = 'unknown', check_at = clock_timestamp() + interval '1 second'
          where org_id = $1 and call_id = $2`,
        values: [orgId, callId],
      })
      return { ...call, status: 'unknown' }
  }
}

/** What a provider said when it was asked: the call, that it has none, or nothing. */
export type Found = { call: ProviderCall } | 'absent' | 'silent'

/**
 * Stores what a provider said when it was asked, and when it is asked next.
 * @param now Unix milliseconds
 */
export async function settleFound(
  tx: OrgTx,
  orgId: string,
  callId: string,
  found: Found,
  now: number,
  nextSeconds: number,
): Promise<void> {
  let call = await holdCall(tx, orgId, callId)
  if (!call) return
  const noteAsked = (isLast: boolean) =>
    tx.run({
      text: `
        update call set status = case when status = 'dispatching' then 'unknown' else status end, checks = checks + 1,
          check_at = case when not $5 then to_timestamp($4 / 1000.0) + make_interval(secs => $3) end
        where org_id = $1 and call_id = $2`,
      values: [orgId, callId, nextSeconds, now, isLast],
    })
  if (call.ended) {
    if (!lacksLength(call)) return
    if (typeof found === 'object') call = await advance(tx, orgId, call, found.call)
    // What was said before it ended says nothing of that.
    const isSaid = typeof found === 'object' ? isEnd(found.call.state) : found === 'absent'
    if (lacksLength(call)) await noteAsked(isSaid || now - call.created_ms > givenUpAfterMs)
    return
  }
  if (typeof found === 'object') call = await advance(tx, orgId, call, found.call)
  else if (found === 'absent' && isUnsettled(call) && now - call.created_ms > absentAfterMs)
    call = await fail(tx, orgId, call, absent)
  // Also of which a provider says that it is still under way: nobody talks for so long.
  if (!call.ended && now - call.created_ms > givenUpAfterMs) call = await fail(tx, orgId, call, silent)
  if (!call.ended) await noteAsked(false)
}

const absent = { code: 'absent', message: 'The provider has no such call: nobody was dialed.' }
const silent = { code: 'silent', message: 'The provider has not said within a day what became of the call.' }
