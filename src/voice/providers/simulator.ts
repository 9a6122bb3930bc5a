import { setTimeout as delay } from 'node:timers/promises'
import { v7 } from 'uuid'
import { z } from 'zod'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { Statement } from '../../platform/db/statement.ts'
import {
  BadSignature,
  type CallbackReport,
  type CallOrder,
  CannotCancel,
  callStates,
  type DispatchOutcome,
  openingOf,
  type Provider,
  type ProviderAccess,
  type ProviderCall,
  Unreachable,
} from './provider.ts'
import { isSameText } from './same-text.ts'
import { courseOf, type Dialled, scriptOf, stateAt } from './simulated-numbers.ts'

export const signatureHeader = 'x-simulator-signature'

/** A simulated call as the database holds it; times in Unix milliseconds. */
export type Row = {
  simulated_call_id: string
  call_id: string
  to_number: string
  max_seconds: number
  dialled_at: number
  canceled_at: number | null
  told: number
}

/** The columns of a `Row`. */
export const columns = `
  simulated_call_id, call_id, to_number, max_seconds, told,
  round(extract(epoch from dialled_at) * 1000)::bigint as dialled_at,
  round(extract(epoch from canceled_at) * 1000)::bigint as canceled_at`

export const dialled = (row: Row): Dialled => ({
  to: row.to_number,
  dialledAt: row.dialled_at,
  canceledAt: row.canceled_at,
  maxSeconds: row.max_seconds,
})

/** What the simulator says of one of its calls, at a time. */
export const shownAt = (row: Row, now: number): ProviderCall => ({
  providerCallId: row.simulated_call_id,
  ...stateAt(dialled(row), now),
})

/** For how long a cancel tries to get hold of a call, and how often. */
const [cancelMs, retryMs] = [10_000, 25]

const Callback = z.object({
  call_id: z.uuid(),
  provider_call_id: z.string(),
  state: z.enum(callStates),
  duration_seconds: z.int().nullable(),
})

/**
 * A provider within the database: no phone rings. How a call goes follows from its number alone (simulated-numbers.ts);
 * `simulated-calls.ts` sends its callbacks.
 */
export function simulator({ org, context }: ProviderAccess): Provider {
  const findRow = (tx: OrgTx, callId: string, lock = '') =>
    tx.first<Row>({
      text: `select ${columns} from simulated_call where org_id = $1 and call_id = $2 order by simulated_call_id limit 1 ${lock}`,
      values: [org.orgId, callId],
    })

  /** Ends a call; null while it is held by who tells of it, for which that needs a connection: nobody waits with one. */
  const cancelNow = (callId: string): Promise<ProviderCall | null> =>
    org.transact(async (tx) => {
      const row = await findRow(tx, callId, 'for update skip locked')
      if (!row && (await findRow(tx, callId))) return null
      if (!row) throw new CannotCancel('The simulator has no such call.')
      const now = Date.now()
      const { state } = shownAt(row, now)
      if (state === 'canceled') return shownAt(row, now)
      if (!['queued', 'ringing', 'in_progress'].includes(state))
        throw new CannotCancel(`The call has ended (${state}).`)
      const canceled = { ...row, canceled_at: now }
      await tx.run({
        text: `
          update simulated_call set canceled_at = to_timestamp($3 / 1000.0), due_at = to_timestamp($3 / 1000.0)
          where org_id = $1 and simulated_call_id = $2`,
        values: [org.orgId, row.simulated_call_id, now],
      })
      return shownAt(canceled, now)
    })

  return {
    async dispatch(order) {
      const objection = await order.lastCheck()
      if (objection) return objection
      const { reception } = scriptOf(order.to)
      if (reception === 'refused')
        return { outcome: 'refused', code: '400', message: 'The simulator refuses this number.' }
      if (reception === 'unreached')
        return { outcome: 'refused', code: 'ECONNREFUSED', message: 'The simulator was not reached.' }
      if (reception === 'lost') return { outcome: 'unknown', reason: 'no answer in time' }
      const simulatedId = v7()
      const dialledAt = Date.now()
      try {
        // In one round trip, which commits by itself.
        await org.readRows(inserting(org.orgId, simulatedId, order, dialledAt))
      } catch (error) {
        return { outcome: 'unknown', reason: (error as Error).message }
      }
      if (reception === 'broken') return { outcome: 'unknown', reason: 'the simulator answered 500' }
      const answer = {
        ...{ simulated_call_id: simulatedId, call_id: order.callId, state: 'queued' },
        greeting: openingOf(order),
      }
      const call = { providerCallId: simulatedId, state: 'queued', durationSeconds: null } as const
      return { outcome: 'dispatched', call, answer } satisfies DispatchOutcome
    },

    async find({ callId }) {
      const row = await org.read((tx) => findRow(tx, callId))
      return row ? shownAt(row, Date.now()) : null
    },

    async cancel(callId) {
      for (const startedAt = performance.now(); performance.now() - startedAt < cancelMs; ) {
        const canceled = await cancelNow(callId)
        if (canceled !== null) return canceled
        await delay(retryMs)
      }
      throw new Unreachable('The simulator is busy with the call.')
    },

    parseCallback({ headers, body }): CallbackReport | null {
      const expected = context.orgTokens.sign(org.orgId, body).toString('base64url')
      if (!isSameText(headers[signatureHeader] ?? '', expected))
        throw new BadSignature(`${signatureHeader} is not that of this body`)
      const { call_id, provider_call_id, state, duration_seconds } = Callback.parse(
        JSON.parse(body.toString()),
      )
      const call = { providerCallId: provider_call_id, state, durationSeconds: duration_seconds }
      return { callId: call_id, call }
    },
  }
}

function inserting(
  orgId: string,
  simulatedId: string,
  order: CallOrder,
  dialledAt: number,
): Statement<never> {
  const { to, maxDurationSeconds: maxSeconds } = order
  const due = courseOf({ to, dialledAt, canceledAt: null, maxSeconds })[0]!.at
  return {
    text: `
      insert into simulated_call (org_id, simulated_call_id, call_id, to_number, max_seconds, dialled_at, due_at)
      values ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0), to_timestamp($7 / 1000.0))`,
    values: [orgId, simulatedId, order.callId, to, maxSeconds, dialledAt, due],
  }
}
