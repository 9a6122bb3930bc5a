import { companies } from '../companies/companies.ts'
import { contacts } from '../contacts/contacts.ts'
import { deals } from '../deals/deals.ts'
import type { RecordType } from '../records/record-type.ts'

/** The kinds of records that may be duplicates of one another. */
export const entityTypes = ['contact', 'company', 'deal'] as const

export type EntityType = (typeof entityTypes)[number]

export const recordTypes: Readonly<Record<EntityType, RecordType>> = {
  contact: contacts,
  company: companies,
  deal: deals,
}

/** The permissions that are about records of a type are named for this. */
export const resourceOf = (entityType: EntityType): string => recordTypes[entityType].path.slice(1)
