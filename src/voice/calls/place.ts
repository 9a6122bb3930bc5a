import { v7 } from 'uuid'
import type { Persona } from '../../personas/schema.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import { badGateway, type DomainError } from '../../platform/domain-error.ts'
import type { Ending, Once, Standing } from '../../platform/http/once.ts'
import { refused } from '../providers/exchange.ts'
import type { CallOrder, DispatchOutcome, Refused } from '../providers/provider.ts'
import { providerMakers } from '../providers/providers.ts'
import { settle } from './attempts.ts'
import { type CallRow, countSlots, insertCall, readRow } from './calls.ts'
import { type Checked, checkCall, tooMany } from './checks.ts'
import { callbackUrl } from './hooks.ts'
import { attemptTimeoutMs, deadlines, maxDurationSeconds } from './limits.ts'
import { callMetrics, timed } from './metrics.ts'
import { objectionTo } from './objections.ts'
import type { PlaceCall, PlacedCall } from './schema.ts'

type Request = { org: Org; caller: Caller; context: Context; body: PlaceCall; once: Once }

/** A call that is committed and not dialled yet. */
type Planned = Checked & { callId: string; committedBy: number }

/**
 * Places a call, or says that it could be placed. Nobody is dialled twice, whatever happens: what is about to be dialled is
 * committed before, the one attempt is made here and nowhere else, and whoever finds the call later only asks for it.
 * @throws DomainError invalid, payment_required, not_found, too_many; bad_gateway if the provider refused it, and nothing rang
 */
export async function placeCall(request: Request): Promise<PlacedCall> {
  const { org, caller, context, body, once } = request
  const now = Date.now()
  if (body.dry_run) {
    const checked = await org.read(async (tx) => {
      const passed = await checkCall(tx, context.secrets, caller, body, now)
      if ((await countSlots(tx, org.orgId, caller.mode)) >= passed.cap) throw tooMany(passed.cap)
      return passed
    })
    return validated(checked, caller, now)
  }
  const callId = v7()
  const planned = await once.begin(callId, (tx) => plan(tx, request, callId, now), standing(org.orgId))
  const outcome = await attempt(request, planned)
  return end(request, planned, outcome)
}

/** The first transaction: all checks, the slot, and the call as it is to be dialled. */
async function plan(tx: OrgTx, request: Request, callId: string, now: number): Promise<Planned> {
  const { caller, context, body } = request
  const checked = await checkCall(tx, context.secrets, caller, body, now)
  const { to, from, persona, provider, cap } = checked
  const call = {
    ...{ callId, provider, to, from: from.number, personaId: persona?.persona_id ?? null },
    ...{ instructions: body.instructions || null, variables: body.variables, metadata: body.metadata },
  }
  if (!(await insertCall(tx, caller, call, cap, deadlines))) throw tooMany(cap)
  return { ...checked, callId, committedBy: performance.now() + attemptTimeoutMs }
}

/** The one attempt. */
async function attempt(request: Request, planned: Planned): Promise<DispatchOutcome> {
  const { org, context } = request
  // A process that stood still for so long must not dial: others may have given the call up.
  if (performance.now() > planned.committedBy) return late
  try {
    const provider = providerMakers[planned.provider]({ org, context, credentials: planned.credentials })
    const dial = () => provider.dispatch(orderOf(request, planned), attemptTimeoutMs)
    return await timed(context, planned.provider, 'dispatch', dial)
  } catch (error) {
    return { outcome: 'unknown', reason: (error as Error).message }
  }
}

function orderOf({ org, context, body }: Request, planned: Planned): CallOrder {
  const { callId, to, from, persona, provider, disclosure } = planned
  return {
    ...{ callId, to, from: from.number, fromRef: from.provider_ref },
    instructions: told(persona, body.instructions ?? null),
    ...{ disclosure, greeting: persona?.greeting ?? null },
    voice: persona?.voice ?? null,
    ...{ variables: body.variables, metadata: body.metadata, maxDurationSeconds },
    callbackUrl: callbackUrl(context, provider, org.orgId),
    lastCheck: () => lastCheck(org, planned),
  }
}

/**
 * Looks again whether somebody said no: the last thing before the request that rings, so that what was committed since
 * the first check is obeyed, also while an agent joins the room. Without an answer of the database nobody is called.
 */
async function lastCheck(org: Org, { to, committedBy }: Planned): Promise<Refused | null> {
  let problem: DomainError | null
  try {
    problem = await org.read((tx) => objectionTo(tx, org.orgId, to))
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return refused('unchecked', 'The database did not say whether the number may still be called.')
  }
  if (problem) return { ...refused(problem.code!, problem.message), problem }
  return performance.now() > committedBy + attemptTimeoutMs ? late : null
}

const late = refused('late', 'This server was too busy to dial in time.')

/** The persona's instructions, and behind them those for this call. */
function told(persona: Persona | null, instructions: string | null): string | null {
  return [persona?.instructions, instructions].filter(Boolean).join('\n\n') || null
}

/** The second transaction: what came of it, and the answer. */
async function end(request: Request, planned: Planned, outcome: DispatchOutcome): Promise<PlacedCall> {
  const { once, org, context } = request
  callMetrics(context).attempts.inc({ provider: planned.provider, outcome: outcome.outcome })
  if (outcome.outcome === 'unknown')
    context.log.warn(
      { org_id: org.orgId, call_id: planned.callId, provider: planned.provider, reason: outcome.reason },
      'a provider did not say whether it placed a call; it will be asked',
    )
  try {
    return await once.end((tx) => endingOf(tx, org.orgId, planned, outcome))
  } catch (error) {
    if (!isUnavailable(error)) throw error
    // It did happen, and the caller shall know; the reconciler finds it, and a retry gets what that found.
    context.log.error({ err: error, call_id: planned.callId }, 'what came of a call could not be stored yet')
    if (outcome.outcome === 'refused') throw refusalOf(planned, outcome)
    return placed(planned, request.caller, outcome)
  }
}

async function endingOf(
  tx: OrgTx,
  orgId: string,
  planned: Planned,
  outcome: DispatchOutcome,
): Promise<Ending<PlacedCall>> {
  const call = await settle(tx, orgId, planned.callId, outcome)
  if (outcome.outcome === 'refused' && call.status === 'failed')
    return { refusal: refusalOf(planned, outcome) }
  return { answer: answerOf(call) }
}

function refusalOf({ provider }: Planned, { code, message, problem }: Refused): DomainError {
  if (problem) return problem
  const said = message.replace(/[\s.]*$/, '.')
  return badGateway(`${provider} did not take the call (${code}): ${said} Nothing rang.`)
}

/** What a retry gets when nothing was kept: the call as it stands. */
const standing =
  (orgId: string) =>
  async (tx: OrgTx, callId: string): Promise<Standing<PlacedCall>> => {
    const call = await readRow(tx, orgId, callId)
    return call && call.status !== 'dispatching' ? { answer: answerOf(call) } : 'running'
  }

/** What a call that was attempted is answered with. */
function answerOf(call: CallRow): PlacedCall {
  const { call_id, mode, provider, provider_call_id, from_number, persona_id, dispatch, erased } = call
  const isLost = call.status === 'failed' && provider_call_id === null
  const isUnknown = call.status === 'unknown' || call.status === 'dispatching'
  return {
    ...{ call_id, status: isLost ? 'failed' : isUnknown ? 'unknown' : 'dispatched', dry_run: false },
    ...{ mode, provider, provider_call_id, from_number, persona_id },
    // Answers are kept.
    ...{ to_number: erased ? null : call.to_number, dispatch: erased ? null : (dispatch ?? null) },
    created_at: Math.floor(call.created_ms / 1000),
  }
}

const common = ({ provider, to, from, persona }: Checked, { mode }: Caller) => ({
  ...{ mode, provider, to_number: to, from_number: from.number, persona_id: persona?.persona_id ?? null },
})

const validated = (checked: Checked, caller: Caller, now: number): PlacedCall => ({
  ...{ call_id: null, status: 'validated', dry_run: true, provider_call_id: null, dispatch: null },
  ...{ ...common(checked, caller), created_at: Math.floor(now / 1000) },
})

const placed = (
  planned: Planned,
  caller: Caller,
  outcome: Exclude<DispatchOutcome, { outcome: 'refused' }>,
): PlacedCall => ({
  ...{ call_id: planned.callId, status: outcome.outcome, dry_run: false, ...common(planned, caller) },
  provider_call_id: outcome.outcome === 'dispatched' ? outcome.call.providerCallId : null,
  created_at: Math.floor(timeOf(planned.callId) / 1000),
  dispatch: outcome.outcome === 'dispatched' ? outcome.answer : null,
})
