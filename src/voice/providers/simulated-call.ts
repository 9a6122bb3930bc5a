import { rawSql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import type { ProviderCall } from './provider.ts'
import { type DialedCall, stateAt } from './simulated-numbers.ts'

/** The header of a callback with the simulator's signature. */
export const signatureHeader = 'x-simulator-signature'

/** A stored simulated call; times in Unix milliseconds. */
export type SimulatedCall = Columns<
  'simulated_call',
  'simulated_call_id' | 'call_id' | 'to_number' | 'max_seconds' | 'told'
> & { dialed_at: number; canceled_at: number | null }

/** The columns of a `SimulatedCall`. */
export const columns = rawSql(`
  simulated_call_id, call_id, to_number, max_seconds, told,
  round(extract(epoch from dialed_at) * 1000)::bigint as dialed_at,
  round(extract(epoch from canceled_at) * 1000)::bigint as canceled_at`)

/** The facts of a stored call that determine its course. */
export const dialedOf = (call: SimulatedCall): DialedCall => ({
  to: call.to_number,
  dialedAt: call.dialed_at,
  canceledAt: call.canceled_at,
  maxSeconds: call.max_seconds,
})

/** A simulated call as the simulator reports it at a time. */
export const reportAt = (call: SimulatedCall, now: number): ProviderCall => ({
  providerCallId: call.simulated_call_id,
  ...stateAt(dialedOf(call), now),
})
