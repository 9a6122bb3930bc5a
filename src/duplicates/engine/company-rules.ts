import { compareCompanyNames } from '../../matching/names/compare-companies.ts'
import type { NameLevel } from '../../matching/names/comparison.ts'
import type { CompanyTraits } from './comparable-record.ts'
import {
  areNamesAlike,
  differentExternalIds,
  haveCommonValue,
  haveOnlyOtherValues,
  namesContradict,
  type Rule,
  shareExternalId,
  type Veto,
} from './rule.ts'

/** Compares the names of two companies; undefined if one company has no name. */
export const compareCompanies = (one: CompanyTraits, other: CompanyTraits): NameLevel | undefined =>
  compareCompanyNames(one.name, other.name)?.level

/** The first rule that applies is shown as the reason. */
export const companyRules: readonly Rule<CompanyTraits>[] = [
  {
    name: 'same_external_id',
    outcome: 'auto',
    holds: (one, other) => shareExternalId(one.externalIds, other.externalIds),
  },
  {
    name: 'same_domain_and_name',
    outcome: 'auto',
    holds: (one, other, names) => haveCommonValue(one.domains, other.domains) && areNamesAlike(names),
  },
  {
    name: 'same_linkedin',
    outcome: 'auto',
    holds: (one, other, names) => haveCommonValue(one.profiles, other.profiles) && !namesContradict(names),
  },
  {
    name: 'same_phone_and_name',
    outcome: 'auto',
    holds: (one, other, names) =>
      haveCommonValue(one.phones, other.phones) && (names === 'exact' || names === 'equivalent'),
  },
  {
    name: 'same_domain',
    outcome: 'auto',
    onlyIfUnambiguous: true,
    holds: (one, other, names) => haveCommonValue(one.domains, other.domains) && names === undefined,
  },
  {
    name: 'shared_domain',
    outcome: 'review',
    holds: (one, other, names) => haveCommonValue(one.domains, other.domains) && names !== 'distinct',
  },
]

export const companyVetoes: readonly Veto<CompanyTraits>[] = [
  differentExternalIds,
  {
    words: 'they are in different countries',
    maxOutcome: 'review',
    holds: ({ country: one }, { country: other }) => one !== null && other !== null && one !== other,
  },
  {
    words: 'they have different domains',
    maxOutcome: 'review',
    holds: (one, other) => haveOnlyOtherValues(one.domains, other.domains),
  },
  {
    words: 'they have different LinkedIn pages',
    maxOutcome: 'review',
    holds: (one, other) => haveOnlyOtherValues(one.profiles, other.profiles),
  },
  {
    words: 'their names contradict each other',
    maxOutcome: 'review',
    holds: (_one, _other, names) => namesContradict(names),
  },
]
