import type { Persona } from '../../personas/schema.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import { badGateway, type DomainError } from '../../platform/domain-error.ts'
import type {
  EffectOutcome,
  EffectState,
  EffectTransactions,
} from '../../platform/http/effect-transactions.ts'
import type { CallOrder, DispatchOutcome, RefusedCall } from '../providers/provider.ts'
import { refusedOutcome } from '../providers/provider-client.ts'
import { providerMakers } from '../providers/providers.ts'
import { saveOutcome } from './attempts.ts'
import { callbackUrl } from './callbacks.ts'
import { type CallRow, countSlots, insertCall, readCall } from './calls.ts'
import { type CheckedCall, checkCall, tooManyCalls } from './checks.ts'
import { limitNewCalls, limitOutcomes } from './limit-transactions.ts'
import { attemptTimeoutMs, deadlines, maxDurationSeconds } from './limits.ts'
import { callMetrics, withTiming } from './metrics.ts'
import { type ObjectionCode, objectionError, objectionTo } from './objections.ts'
import type { PlaceCall, PlacedCall } from './schema.ts'

type Placing = {
  org: Org
  /** A job has no payer of its own: its organization pays. */
  caller: Pick<Caller, 'mode'> & Partial<Pick<Caller, 'payerId'>>
  context: Context
  once: EffectTransactions
}

const payerOf = ({ caller, org }: Placing) => caller.payerId ?? org.orgId

/** A committed call that has not been dialed yet. */
type PlannedCall = CheckedCall & { callId: string; body: PlaceCall; committedBy: number }

/** Returns what to dial, in the transaction that stores the call. If it throws, nothing is stored, and nobody is called. */
type PlanOrder = (tx: OrgTx, callId: string) => Promise<PlaceCall>

/** Places a call; a dry run only checks it. @throws DomainError as `placeOrdered` */
export async function placeCall(request: Placing & { body: PlaceCall }): Promise<PlacedCall> {
  const { org, caller, context, body } = request
  if (!body.dry_run) return placeOrdered(request, async () => body)
  const now = Date.now()
  const checked = await org.read(async (tx) => {
    const passed = await checkCall(tx, context.secrets, caller, body, now)
    if ((await countSlots(tx, caller.mode)) >= passed.cap) throw tooManyCalls(passed.cap)
    return passed
  })
  return validatedAnswer(checked, caller, now)
}

/**
 * Places a call. No phone rings twice: the call is committed, then dialed once here; the reconciler only polls.
 * @throws DomainError invalid, payment_required, not_found, too_many; bad_gateway if the provider refused the call,
 * and no phone rang; OrgBusy
 */
export async function placeOrdered(request: Placing, order: PlanOrder): Promise<PlacedCall> {
  const callId = newId()
  const planned = await limitNewCalls(payerOf(request), () =>
    request.once.begin(callId, (tx) => planCall(tx, request, callId, order), stateForRetry),
  )
  const outcome = await dialOnce(request, planned)
  return storeOutcome(request, planned, outcome)
}

/** Makes all checks, and stores the call that is about to be dialed. */
async function planCall(
  tx: OrgTx,
  { caller, context }: Placing,
  callId: string,
  order: PlanOrder,
): Promise<PlannedCall> {
  const now = Date.now()
  const body = await order(tx, callId)
  const checked = await checkCall(tx, context.secrets, caller, body, now)
  const { to, from, persona, provider, cap } = checked
  const call = {
    ...{ callId, provider, to, from: from.number, personaId: persona?.persona_id ?? null },
    ...{ instructions: body.instructions || null, variables: body.variables, metadata: body.metadata },
  }
  if (!(await insertCall(tx, call, cap, deadlines))) throw tooManyCalls(cap)
  return { ...checked, callId, body, committedBy: performance.now() + attemptTimeoutMs }
}

/** Dials once. A failed attempt is not repeated. */
async function dialOnce(request: Placing, planned: PlannedCall): Promise<DispatchOutcome> {
  const { org, context } = request
  // A process that was paused past this time must not dial: the reconciler may have failed the call already.
  if (performance.now() > planned.committedBy) return tooLate
  try {
    const provider = providerMakers[planned.provider]({ org, context, credentials: planned.credentials })
    const dial = () => provider.dispatch(orderOf(request, planned), attemptTimeoutMs)
    return await withTiming(context, planned.provider, 'dispatch', dial)
  } catch (error) {
    return { outcome: 'unknown', reason: (error as Error).message }
  }
}

function orderOf({ org, context }: Placing, planned: PlannedCall): CallOrder {
  const { callId, body, to, from, persona, provider, disclosure } = planned
  return {
    ...{ callId, to, from: from.number, fromRef: from.provider_ref },
    instructions: instructionsOf(persona, body.instructions ?? null),
    ...{ disclosure, greeting: persona?.greeting ?? null },
    voice: persona?.voice ?? null,
    ...{ variables: body.variables, metadata: body.metadata, maxDurationSeconds },
    callbackUrl: callbackUrl(context, provider, org.orgId),
    lastCheck: () => checkObjectionsAgain(org, planned),
  }
}

/**
 * Checks for objections again, right before the request that makes a phone ring. Without an answer of the database,
 * nobody is called.
 */
async function checkObjectionsAgain(org: Org, { to, committedBy }: PlannedCall): Promise<RefusedCall | null> {
  let objection: ObjectionCode | null
  try {
    objection = await org.read((tx) => objectionTo(tx, to))
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return refusedOutcome('unchecked', 'The database did not say whether the number may still be called.')
  }
  if (objection) {
    const problem = objectionError(objection)
    return { ...refusedOutcome(objection, problem.message), problem }
  }
  return performance.now() > committedBy + attemptTimeoutMs ? tooLate : null
}

const tooLate = refusedOutcome('late', 'This server was too busy to dial before the time limit.')

/** Returns the instructions of the persona, then the instructions for this call. */
function instructionsOf(persona: Persona | null, instructions: string | null): string | null {
  return [persona?.instructions, instructions].filter(Boolean).join('\n\n') || null
}

/** The second transaction: stores the outcome of the attempt, and returns the client's answer. */
async function storeOutcome(
  request: Placing,
  planned: PlannedCall,
  outcome: DispatchOutcome,
): Promise<PlacedCall> {
  const { once, org, context } = request
  callMetrics(context).attempts.inc({ provider: planned.provider, outcome: outcome.outcome })
  if (outcome.outcome === 'unknown')
    context.log.warn(
      { org_id: org.orgId, call_id: planned.callId, provider: planned.provider, reason: outcome.reason },
      'a provider did not say whether it placed a call; it will be polled',
    )
  try {
    return await limitOutcomes(payerOf(request), () =>
      once.end((tx) => effectOutcomeOf(tx, planned, outcome)),
    )
  } catch (error) {
    if (!isUnavailable(error)) throw error
    // Answer with the outcome, because the attempt was made. The reconciler stores it later, and a retry then gets
    // it.
    context.log.error(
      { err: error, call_id: planned.callId },
      'the outcome of a call could not be stored; the reconciler polls for it',
    )
    if (outcome.outcome === 'refused') throw refusalOf(planned, outcome)
    return placedAnswer(planned, request.caller, outcome)
  }
}

async function effectOutcomeOf(
  tx: OrgTx,
  planned: PlannedCall,
  outcome: DispatchOutcome,
): Promise<EffectOutcome<PlacedCall>> {
  const call = await saveOutcome(tx, planned.callId, outcome)
  if (outcome.outcome === 'refused' && call.status === 'failed')
    return { refusal: refusalOf(planned, outcome) }
  return { answer: answerOf(call) }
}

function refusalOf({ provider }: PlannedCall, { code, message, problem }: RefusedCall): DomainError {
  if (problem) return problem
  const sentence = message.replace(/[\s.]*$/, '.')
  return badGateway(
    'call_refused',
    `${provider} did not accept the call (${code}): ${sentence} No phone rang.`,
  )
}

/** Returns the answer to a retry without a stored answer: the current state of the call. */
async function stateForRetry(tx: OrgTx, callId: string): Promise<EffectState<PlacedCall>> {
  const call = await readCall(tx, callId)
  return call && call.status !== 'dispatching' ? { answer: answerOf(call) } : 'running'
}

/** Returns the answer for a call after an attempt to dial. */
function answerOf(call: CallRow): PlacedCall {
  const { call_id, mode, provider, provider_call_id, from_number, persona_id, dispatch, erased } = call
  const isLost = call.status === 'failed' && provider_call_id === null
  const isUnknown = call.status === 'unknown' || call.status === 'dispatching'
  return {
    ...{ call_id, status: isLost ? 'failed' : isUnknown ? 'unknown' : 'dispatched', dry_run: false },
    ...{ mode, provider, provider_call_id, from_number, persona_id },
    // Leave out erased data: answers are stored for retries.
    ...{ to_number: erased ? null : call.to_number, dispatch: erased ? null : (dispatch ?? null) },
    created_at: Math.floor(call.created_ms / 1000),
  }
}

const commonFields = ({ provider, to, from, persona }: CheckedCall, { mode }: Pick<Caller, 'mode'>) => ({
  ...{ mode, provider, to_number: to, from_number: from.number, persona_id: persona?.persona_id ?? null },
})

const validatedAnswer = (checked: CheckedCall, caller: Pick<Caller, 'mode'>, now: number): PlacedCall => ({
  ...{ call_id: null, status: 'validated', dry_run: true, provider_call_id: null, dispatch: null },
  ...{ ...commonFields(checked, caller), created_at: Math.floor(now / 1000) },
})

const placedAnswer = (
  planned: PlannedCall,
  caller: Pick<Caller, 'mode'>,
  outcome: Exclude<DispatchOutcome, { outcome: 'refused' }>,
): PlacedCall => ({
  ...{ call_id: planned.callId, status: outcome.outcome, dry_run: false, ...commonFields(planned, caller) },
  provider_call_id: outcome.outcome === 'dispatched' ? outcome.call.providerCallId : null,
  created_at: Math.floor(timeOf(planned.callId) / 1000),
  dispatch: outcome.outcome === 'dispatched' ? outcome.answer : null,
})
