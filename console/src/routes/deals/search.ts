import { type ListSearch, readListSearch } from '../../records/list-search.ts'

/** What the page of deals shows, in the form of the address. Without `view` it shows the board. */
export type DealSearch = ListSearch & {
  view?: 'list' | 'summary' | undefined
  /** The period of the summary; without it 12 months. */
  months?: '3' | '36' | undefined
}

export const readDealSearch = (search: Record<string, unknown>): DealSearch => {
  const months = String(search.months)
  return {
    ...readListSearch(search),
    view: search.view === 'list' || search.view === 'summary' ? search.view : undefined,
    months: months === '3' || months === '36' ? months : undefined,
  }
}
