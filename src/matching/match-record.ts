import { visitorSystem } from '../normalize/visitor-system.ts'
import type { EntityType } from './entity-type.ts'
import type { MatchRecord, Schema } from './schema.ts'

/** The numbers of the record types in stored match keys and checks. */
export const entityNumbers = { contact: 1, company: 2, deal: 3 } as const satisfies Record<EntityType, number>

export type Columns = Readonly<Record<string, unknown>>

/** The compared fields of the record types. The default rates are counted for them. */
export const matchSchemas: Readonly<Record<EntityType, Schema>> = {
  contact: [
    { name: 'email', type: 'email' },
    { name: 'phone', type: 'phone' },
    { name: 'linkedin_url', type: 'linkedin' },
    { name: 'external_ids', type: 'external_id' },
    { name: 'first_name', type: 'first_name' },
    { name: 'last_name', type: 'last_name' },
    { name: 'company_name', type: 'company_name' },
    { name: 'city', type: 'city' },
    { name: 'country', type: 'country' },
  ],
  company: [
    { name: 'domain', type: 'domain' },
    { name: 'name', type: 'company_name' },
    { name: 'phone', type: 'phone' },
    { name: 'linkedin_url', type: 'linkedin' },
    { name: 'external_ids', type: 'external_id' },
    { name: 'city', type: 'city' },
    { name: 'country', type: 'country' },
  ],
  deal: [
    { name: 'external_ids', type: 'external_id' },
    { name: 'name', type: 'text' },
    { name: 'amount', type: 'amount' },
    { name: 'company_id', type: 'category' },
  ],
}

/** The compared columns. After a change of another column, no check for duplicates is needed. */
export const matchColumns: Readonly<Record<EntityType, readonly string[]>> = {
  contact: [
    'emails',
    'phones',
    'phone_raw',
    'linkedin_url',
    'external_ids',
    'first_name',
    'last_name',
    'company_name',
    'city',
    'country',
    'claimed_by',
  ],
  company: ['domains', 'name', 'phone', 'phone_raw', 'linkedin_url', 'external_ids', 'city', 'country'],
  deal: ['external_ids', 'name', 'amount_cents', 'currency', 'company_id', 'contact_ids', 'closed_at'],
}

const texts = (value: unknown) => (value ?? []) as string[]
const text = (value: unknown) => (value ?? null) as string | null

/** Returns the external ids as `system:id`, including those of absorbed records. Ids of visitors are left out. */
function externalIds(state: Columns): string[] {
  const aliases = (state.aliases ?? []) as [string, string][]
  const all = [...Object.entries((state.external_ids ?? {}) as Record<string, string>), ...aliases]
  return all.filter(([system]) => system !== visitorSystem).map(([system, id]) => `${system}:${id}`)
}

const readers: Readonly<Record<EntityType, (state: Columns) => MatchRecord>> = {
  contact: (state) => ({
    email: texts(state.emails),
    phone: texts(state.phones).length > 0 ? texts(state.phones) : text(state.phone_raw),
    linkedin_url: text(state.linkedin_url),
    external_ids: externalIds(state),
    first_name: text(state.first_name),
    last_name: text(state.last_name),
    company_name: text(state.company_name),
    city: text(state.city),
    country: text(state.country),
  }),
  company: (state) => ({
    domain: texts(state.domains),
    name: text(state.name),
    phone: text(state.phone) ?? text(state.phone_raw),
    linkedin_url: text(state.linkedin_url),
    external_ids: externalIds(state),
    city: text(state.city),
    country: text(state.country),
  }),
  deal: (state) => ({
    external_ids: externalIds(state),
    name: text(state.name),
    amount: amountOf(state),
    company_id: text(state.company_id),
  }),
}

function amountOf({ amount_cents: cents, currency }: Columns): string | null {
  if (cents === null || cents === undefined) return null
  return `${cents} ${currency ?? ''}`.trim()
}

/** Makes the matcher's input from the columns of a record. The function is pure. */
export function toMatchRecord(entity: EntityType, state: Columns): MatchRecord {
  return readers[entity](state)
}
