import type { AgencyClientUsage } from '../../../../sdk/src/generated/types.ts'
import { locale } from '../../parts/locale.ts'
import type { ClientSearch, SortField } from './search.ts'

/** Without accents and capitals, so that “cafe” finds “Café”. */
const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

export const webhooksOf = ({ webhooks_delivered, webhooks_failed }: AgencyClientUsage): number =>
  webhooks_delivered + webhooks_failed

const numberOf = (client: AgencyClientUsage, field: Exclude<SortField, 'name'>): number =>
  field === 'webhooks' ? webhooksOf(client) : client[field]

/** The clients whose name contains `q`, in the order of `sort`. Equal clients stay in the order of the API. */
export function found(
  clients: readonly AgencyClientUsage[],
  { q, sort }: ClientSearch,
): readonly AgencyClientUsage[] {
  const wanted = folded(q ?? '')
  const matching = q ? clients.filter(({ name }) => folded(name).includes(wanted)) : clients
  if (!sort) return matching
  const field = sort.replace('-', '') as SortField
  const sign = sort.startsWith('-') ? -1 : 1
  return matching.toSorted(
    (a, b) =>
      sign *
      (field === 'name' ? a.name.localeCompare(b.name, locale) : numberOf(a, field) - numberOf(b, field)),
  )
}

/** The order after a click on the head of a column: the usual one, the reverse, then the order of the API again. */
export function nextSort(sort: ClientSearch['sort'], field: SortField): ClientSearch['sort'] {
  const [first, second] = field === 'name' ? (['name', '-name'] as const) : ([`-${field}`, field] as const)
  if (sort === first) return second
  return sort === second ? undefined : first
}
