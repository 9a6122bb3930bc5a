import { companies } from '../companies/companies.ts'
import { contacts } from '../contacts/contacts.ts'
import { deals } from '../deals/deals.ts'
import type { RecordType } from '../records/record-type.ts'
import type { SegmentEntity } from './schema.ts'

export const recordTypes: Readonly<Record<SegmentEntity, RecordType>> = {
  contact: contacts,
  company: companies,
  deal: deals,
}

/** The resource of the permissions for records: `contacts`. */
export const resourceOf = (entity: SegmentEntity): string => recordTypes[entity].path.slice(1)
