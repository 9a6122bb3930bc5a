import { textIn } from '../../routing/search-text.ts'

/** The columns by which the clients can be sorted. */
const sortFields = [
  'name',
  'requests',
  'rate_limited',
  'calls',
  'call_minutes',
  'events',
  'webhooks',
  'webhooks_failed',
] as const
export type SortField = (typeof sortFields)[number]

/** What the page shows, in the form of the address. */
export type ClientSearch = {
  /** YYYY-MM; undefined: this month */
  month?: string | undefined
  /** A part of the name of a client, or its whole id. */
  q?: string | undefined
  /** A column; a minus before it gives descending order. undefined: the newest client first */
  sort?: SortField | `-${SortField}` | undefined
  /** The invitations instead of the clients. */
  view?: 'invitations' | undefined
}

const sorts: readonly unknown[] = sortFields.flatMap((field) => [field, `-${field}`])

export const readClientSearch = ({ month, q, sort, view }: Record<string, unknown>): ClientSearch => ({
  month: typeof month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : undefined,
  q: textIn(q),
  sort: sorts.includes(sort) ? (sort as ClientSearch['sort']) : undefined,
  view: view === 'invitations' ? view : undefined,
})
