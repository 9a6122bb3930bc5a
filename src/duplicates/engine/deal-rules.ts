import type { DealTraits } from './comparable-record.ts'
import { differentExternalIds, haveCommonValue, type Rule, shareExternalId, type Veto } from './rule.ts'

const isSame = (one: string | null, other: string | null) => one !== null && one === other
const isOther = (one: string | null, other: string | null) => one !== null && other !== null && one !== other

/** No rule merges deals: a person decides. The first rule that applies is shown as the reason. */
export const dealRules: readonly Rule<DealTraits>[] = [
  {
    name: 'same_external_id',
    outcome: 'review',
    holds: (one, other) => shareExternalId(one.externalIds, other.externalIds),
  },
  {
    name: 'same_company_and_name',
    outcome: 'review',
    holds: (one, other) => isSame(one.companyId, other.companyId) && isSame(one.name, other.name),
  },
  {
    name: 'same_contact_and_name',
    outcome: 'review',
    holds: (one, other) => haveCommonValue(one.contactIds, other.contactIds) && isSame(one.name, other.name),
  },
  {
    name: 'same_company_and_amount',
    outcome: 'review',
    holds: (one, other) => isSame(one.companyId, other.companyId) && isSame(one.amount, other.amount),
  },
]

export const dealVetoes: readonly Veto<DealTraits>[] = [
  {
    words: 'they were closed in different months',
    maxOutcome: 'none',
    holds: (one, other) =>
      isOther(one.closeMonth, other.closeMonth) && !shareExternalId(one.externalIds, other.externalIds),
  },
  {
    words: 'they belong to different companies',
    maxOutcome: 'none',
    holds: (one, other) =>
      isOther(one.companyId, other.companyId) && !shareExternalId(one.externalIds, other.externalIds),
  },
  differentExternalIds,
]
