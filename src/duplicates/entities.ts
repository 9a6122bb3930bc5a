import { companies } from '../companies/companies.ts'
import { contacts } from '../contacts/contacts.ts'
import { deals } from '../deals/deals.ts'
import type { EntityType } from '../matching/entity-type.ts'
import type { RecordType } from '../records/record-type.ts'

/** The record types in which the engine finds duplicates. */
export const recordTypes: Readonly<Record<EntityType, RecordType>> = {
  contact: contacts,
  company: companies,
  deal: deals,
}

/** The resource in permissions: `contacts` of `contacts:read`. */
export const resourceOf = (entityType: EntityType): string => recordTypes[entityType].path.slice(1)
