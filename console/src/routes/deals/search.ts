import { type ListSearch, readListSearch } from '../../records/list-search.ts'

/** What the page of deals shows, in the form of the address. Without `view` it shows the board. */
export type DealSearch = ListSearch & {
  view?: 'list' | 'summary' | undefined
  /** The period of the summary; without it 12 months. */
  months?: '3' | '36' | undefined
}

export const readDealSearch = (search: Record<string, unknown>): DealSearch => ({
  ...readListSearch(search),
  view: oneOf(search.view, 'list', 'summary'),
  // The router reads a text of digits as a number.
  months: oneOf(`${search.months}`, '3', '36'),
})

const oneOf = <Value extends string>(value: unknown, ...known: Value[]): Value | undefined =>
  known.find((one) => one === value)
