import type { EntityType } from '../../../../sdk/src/generated/types.ts'
import { deals } from '../../records/deals/kind.ts'
import { companies, people, type RecordKind } from '../../records/kinds.ts'

/** The types of records whose duplicates a person compares. */
export const comparedTypes: Readonly<Record<EntityType, RecordKind>> = {
  contact: people,
  company: companies,
  deal: deals,
}
