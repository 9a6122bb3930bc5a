import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { isEqualInConstantTime } from '../../platform/constant-time.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import {
  BadSignature,
  type CallbackReport,
  type CallbackRequest,
  type CallOrder,
  CannotCancel,
  callStates,
  type DispatchOutcome,
  filledGreetingOf,
  openingWordsOf,
  type Provider,
  type ProviderAccess,
  type ProviderCall,
  Unreachable,
} from './provider.ts'
import { columns, reportAt, type SimulatedCall, signatureHeader } from './simulated-call.ts'
import { type DispatchAnswer, scriptOf, statesOf } from './simulated-numbers.ts'

/** How long a cancel waits for a locked call, and how often it tries. */
const [cancelMs, retryMs] = [10_000, 25]

const Callback = z.object({
  call_id: z.uuid(),
  provider_call_id: z.string(),
  state: z.enum(callStates),
  duration_seconds: z.int().nullable(),
})

/** The outcomes of dispatches without a simulated call. */
const failures: Partial<Record<DispatchAnswer, DispatchOutcome>> = {
  refused: { outcome: 'refused', code: '400', message: 'The simulator refuses this number.' },
  unreached: { outcome: 'refused', code: 'ECONNREFUSED', message: 'The simulator was not reached.' },
  lost: { outcome: 'unknown', reason: 'no answer in time' },
}

/**
 * A provider inside the database, which makes no phone ring. Only the number decides the course of a call
 * (simulated-numbers.ts). simulated-calls.ts sends the callbacks.
 */
export class Simulator implements Provider {
  readonly #org: ProviderAccess['org']
  readonly #orgTokens: ProviderAccess['context']['orgTokens']

  constructor({ org, context }: ProviderAccess) {
    this.#org = org
    this.#orgTokens = context.orgTokens
  }

  async dispatch(order: CallOrder): Promise<DispatchOutcome> {
    const objection = await order.lastCheck()
    if (objection) return objection
    const { reception } = scriptOf(order.to)
    const failure = failures[reception]
    if (failure) return failure
    const id = newId()
    try {
      // A statement without a transaction commits at once: one round trip.
      await this.#org.readRows(insertion(this.#org.orgId, id, order, Date.now()))
    } catch (error) {
      return { outcome: 'unknown', reason: (error as Error).message }
    }
    if (reception === 'broken') return { outcome: 'unknown', reason: 'the simulator answered 500' }
    const { disclosure } = order
    const greeting = openingWordsOf({ disclosure, greeting: filledGreetingOf(order) })
    return {
      outcome: 'dispatched',
      call: { providerCallId: id, state: 'queued', durationSeconds: null },
      answer: { simulated_call_id: id, call_id: order.callId, state: 'queued', greeting },
    }
  }

  async find({ callId }: Pick<CallOrder, 'callId'>): Promise<ProviderCall | null> {
    const call = await this.#org.read((tx) => tx.first(selectCall(tx, callId)))
    return call ? reportAt(call, Date.now()) : null
  }

  async cancel(callId: string): Promise<ProviderCall> {
    for (const startedAt = performance.now(); performance.now() - startedAt < cancelMs; ) {
      const canceled = await this.#cancelNow(callId)
      if (canceled !== null) return canceled
      await delay(retryMs)
    }
    throw new Unreachable('The simulator is busy with the call.')
  }

  /**
   * Ends a call; null while simulated-calls.ts has locked it. Do not wait for that lock: the wait could use the
   * connection that the locked call's callback needs.
   */
  #cancelNow(callId: string): Promise<ProviderCall | null> {
    return this.#org.transact(async (tx) => {
      const call = await tx.first(sql<SimulatedCall>`${selectCall(tx, callId)} for update skip locked`)
      if (!call && (await tx.first(selectCall(tx, callId)))) return null
      if (!call) throw new CannotCancel('The simulator has no such call.')
      const now = Date.now()
      const { state } = reportAt(call, now)
      if (state === 'canceled') return reportAt(call, now)
      if (!['queued', 'ringing', 'in_progress'].includes(state))
        throw new CannotCancel(`The call has ended (${state}).`)
      const time = sql`to_timestamp(${now} / 1000.0)`
      await tx.run(sql`
        update simulated_call set canceled_at = ${time}, due_at = ${time}
        where org_id = ${tx.orgId} and simulated_call_id = ${call.simulated_call_id}`)
      return reportAt({ ...call, canceled_at: now }, now)
    })
  }

  async parseCallback({ orgId, headers, body }: CallbackRequest): Promise<CallbackReport | null> {
    const expected = this.#orgTokens.sign(orgId, body).toString('base64url')
    if (!isEqualInConstantTime(headers[signatureHeader] ?? '', expected))
      throw new BadSignature(`${signatureHeader} does not match this body`)
    const { call_id, provider_call_id, state, duration_seconds } = Callback.parse(JSON.parse(body.toString()))
    const call = { providerCallId: provider_call_id, state, durationSeconds: duration_seconds }
    return { callId: call_id, call }
  }
}

const selectCall = ({ orgId }: OrgTx, callId: string) => sql<SimulatedCall>`
  select ${columns} from simulated_call where org_id = ${orgId} and call_id = ${callId}
  order by simulated_call_id limit 1`

function insertion(orgId: string, id: string, order: CallOrder, dialedAt: number): Sql<never> {
  const { callId, to, maxDurationSeconds: maxSeconds } = order
  const [first] = statesOf({ to, dialedAt, canceledAt: null, maxSeconds })
  return sql`
    insert into simulated_call (org_id, simulated_call_id, call_id, to_number, max_seconds, dialed_at, due_at)
    values (${orgId}, ${id}, ${callId}, ${to}, ${maxSeconds}, to_timestamp(${dialedAt} / 1000.0),
      to_timestamp(${first.at} / 1000.0))`
}
