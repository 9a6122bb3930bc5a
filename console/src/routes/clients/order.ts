import type { AgencyClientUsage } from '../../../../sdk/src/generated/types.ts'
import { folded } from '../../parts/folded.ts'
import { locale, whenUsed } from '../../parts/locale.ts'
import type { ClientSearch, SortField } from './search.ts'

export const webhooksOf = ({ webhooks_delivered, webhooks_failed }: AgencyClientUsage): number =>
  webhooks_delivered + webhooks_failed

const numberOf = (client: AgencyClientUsage, field: Exclude<SortField, 'name'>): number =>
  field === 'webhooks' ? webhooksOf(client) : client[field]

const collator = whenUsed(() => new Intl.Collator(locale, { numeric: true }))

/**
 * The clients whose name contains `q`, or whose id it is, in the order of `sort`. Equal clients stay in the order of the
 * API.
 */
export function found(
  clients: readonly AgencyClientUsage[],
  { q, sort }: ClientSearch,
): readonly AgencyClientUsage[] {
  const wanted = folded(q ?? '')
  const matching = q
    ? clients.filter(({ name, org_id }) => folded(name).includes(wanted) || org_id === wanted)
    : clients
  if (!sort) return matching
  const field = sort.replace('-', '') as SortField
  const sign = sort.startsWith('-') ? -1 : 1
  return matching.toSorted(
    (a, b) =>
      sign *
      (field === 'name' ? collator().compare(a.name, b.name) : numberOf(a, field) - numberOf(b, field)),
  )
}

/** The order after a click on the head of a column: the usual one, the reverse, then the order of the API again. */
export function nextSort(sort: ClientSearch['sort'], field: SortField): ClientSearch['sort'] {
  const [first, second] = field === 'name' ? (['name', '-name'] as const) : ([`-${field}`, field] as const)
  if (sort === first) return second
  return sort === second ? undefined : first
}
