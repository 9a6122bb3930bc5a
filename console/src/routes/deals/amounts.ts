import type { Deal, DealSummary, DealValue } from '../../../../sdk/src/generated/types.ts'
import { count, money } from '../../parts/numbers.ts'

/** The sums of deals by currency, with those of deals that arrive or leave. The API's sums are exact texts. */
export function sumsWith(
  values: readonly DealValue[],
  arriving: readonly Deal[] = [],
  leaving: readonly Deal[] = [],
): DealValue[] {
  const sums = new Map(values.map((value) => [value.currency, value]))
  const add = ({ currency, amount_cents }: Deal, sign: 1 | -1) => {
    const { deals, amount_cents: before } = sums.get(currency) ?? { deals: 0, amount_cents: '0' }
    const amount = BigInt(before) + BigInt(sign) * BigInt(amount_cents ?? 0)
    sums.set(currency, { currency, deals: deals + sign, amount_cents: String(amount) })
  }
  for (const deal of arriving) add(deal, 1)
  for (const deal of leaving) add(deal, -1)
  return [...sums.values()].filter(({ deals }) => deals > 0)
}

/** The sums of several groups of deals, by currency. */
export function totalOf(groups: readonly (readonly DealValue[])[]): DealValue[] {
  const sums = new Map<string | null, DealValue>()
  for (const { currency, deals, amount_cents } of groups.flat()) {
    const before = sums.get(currency) ?? { deals: 0, amount_cents: '0' }
    const amount = BigInt(before.amount_cents) + BigInt(amount_cents)
    sums.set(currency, { currency, deals: before.deals + deals, amount_cents: String(amount) })
  }
  return [...sums.values()]
}

export const dealsIn = (values: readonly DealValue[]): number =>
  values.reduce((sum, { deals }) => sum + deals, 0)

/** The currency that most deals have; null: no deal has one. Pages show it first everywhere. */
export function mainCurrencyOf({ open, months }: DealSummary): string | null {
  const values = totalOf([
    ...open.map(({ values }) => values),
    ...months.flatMap(({ won, lost }) => [won, lost]),
  ])
  return inOrder(values, null).find(({ currency }) => currency !== null)?.currency ?? null
}

/** The sums with the main currency first, and then the currencies of most deals. */
export const inOrder = (values: readonly DealValue[], main: string | null): DealValue[] =>
  values.toSorted(
    (one, other) =>
      Number(other.currency === main) - Number(one.currency === main) ||
      other.deals - one.deals ||
      String(one.currency).localeCompare(String(other.currency)),
  )

/** The sums as texts, one for each currency. Deals without a currency have no amount. */
export const sumTexts = (values: readonly DealValue[], main: string | null): string[] =>
  inOrder(values, main).flatMap(({ currency, amount_cents }) =>
    currency === null ? [] : money(amount_cents, currency),
  )

/** For example “2 more currencies”; the empty text for 0. */
export const moreCurrencies = (n: number): string =>
  n > 0 ? `${count(n)} more ${n === 1 ? 'currency' : 'currencies'}` : ''
