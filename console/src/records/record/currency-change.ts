import { decimalOf, minorOf } from '../../parts/numbers.ts'
import { changeOf, type ShownRecord } from '../kinds.ts'

/**
 * The amount of a deal in another currency. The number stays, although currencies have different decimals: €1,000 becomes
 * ¥1,000. null: the currency has too few decimals for it; undefined: the record has no amount.
 */
export function amountIn(
  { amount_cents: minor, currency }: ShownRecord,
  code: string,
): number | null | undefined {
  if (typeof minor !== 'number' || typeof currency !== 'string') return undefined
  const shortest = decimalOf(minor, currency)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
  return minorOf(shortest, code.toUpperCase())
}

/** The body of a request that changes one field of a record. */
export function changeIn(record: ShownRecord, name: string, value: unknown): object {
  const amount = name === 'currency' && typeof value === 'string' ? amountIn(record, value) : undefined
  return { ...changeOf(name, value), ...(typeof amount === 'number' && { amount_cents: amount }) }
}
