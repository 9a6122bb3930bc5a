import { noName } from '../parts/no-name.ts'
import type { Scope } from './scope.tsx'

export type EntityType = 'contact' | 'company' | 'deal'

/** `about` tells records with the same name apart; null: nothing does. */
export type FoundRecord = { type: EntityType; record_id: string; name: string; about: string | null }

/** The permission that reads each type of record. */
export const readPermissions = {
  contact: 'contacts:read',
  company: 'companies:read',
  deal: 'deals:read',
} as const satisfies Record<EntityType, string>

/** Finds the best matches of some words; without words the newest records. */
export async function searchRecords(
  { api }: Scope,
  type: EntityType,
  { words, limit }: { words: string; limit: number },
  signal: AbortSignal,
): Promise<readonly FoundRecord[]> {
  const query = { limit, ...(words && { q: words }) }
  if (type === 'deal') {
    const { data } = await api.deals.list(query, { signal })
    return data.map(({ deal_id, name }) => ({
      ...{ type, record_id: deal_id, name: name ?? noName, about: null },
    }))
  }
  if (type === 'company') {
    const { data } = await api.companies.list(query, { signal })
    return data.map(({ company_id, name, domain }) => ({
      type,
      record_id: company_id,
      name: name ?? domain ?? noName,
      about: name && domain,
    }))
  }
  const { data } = await api.contacts.list(query, { signal })
  return data.map(({ contact_id, first_name, last_name, company_name, email, phone }) => ({
    type,
    record_id: contact_id,
    name: [first_name, last_name].filter(Boolean).join(' ') || email || phone || noName,
    about: company_name ?? email,
  }))
}
