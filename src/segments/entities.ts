import { companies } from '../companies/companies.ts'
import { contacts } from '../contacts/contacts.ts'
import { deals } from '../deals/deals.ts'
import type { EntityType } from '../matching/entity-type.ts'
import type { RecordType } from '../records/record-type.ts'

export const recordTypes: Readonly<Record<EntityType, RecordType>> = {
  contact: contacts,
  company: companies,
  deal: deals,
}

/** The resource of the permissions for records: `contacts`. */
export const resourceOf = (entity: EntityType): string => recordTypes[entity].path.slice(1)
