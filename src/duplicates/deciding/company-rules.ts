import { compareCompanyNames } from '../matcher/names/compare-companies.ts'
import type { NameLevel } from '../matcher/names/comparison.ts'
import { differ, differentExternalIds, type Rule, shareExternalId, shares, type Veto } from './rule.ts'
import type { CompanyTraits } from './traits.ts'

type Names = Pick<CompanyTraits, 'name'>

const levelOf = (one: Names, other: Names): NameLevel | undefined =>
  compareCompanyNames(one.name, other.name)?.level

const alike: ReadonlySet<NameLevel | undefined> = new Set(['exact', 'equivalent', 'close'])
const areAlike = (one: Names, other: Names) => alike.has(levelOf(one, other))
const areEqual = (one: Names, other: Names) => ['exact', 'equivalent'].includes(levelOf(one, other) ?? '')
const isNameless = ({ name }: Names) => name.tokens.length === 0
const contradict = (one: Names, other: Names) => ['partial', 'distinct'].includes(levelOf(one, other) ?? '')

/** Rules for companies; the first one that holds is given as the reason. */
export const companyRules: readonly Rule<CompanyTraits>[] = [
  {
    name: 'same_external_id',
    outcome: 'auto',
    holds: (one, other) => shareExternalId(one.externalIds, other.externalIds),
  },
  {
    name: 'same_domain_and_name',
    outcome: 'auto',
    holds: (one, other) => shares(one.domains, other.domains) && areAlike(one, other),
  },
  {
    name: 'same_linkedin',
    outcome: 'auto',
    holds: (one, other) => shares(one.profiles, other.profiles) && !contradict(one, other),
  },
  {
    name: 'same_phone_and_name',
    outcome: 'auto',
    holds: (one, other) => shares(one.phones, other.phones) && areEqual(one, other),
  },
  {
    name: 'same_domain',
    outcome: 'auto',
    alone: true,
    holds: (one, other) => shares(one.domains, other.domains) && (isNameless(one) || isNameless(other)),
  },
  {
    name: 'shared_domain',
    outcome: 'review',
    holds: (one, other) => shares(one.domains, other.domains) && levelOf(one, other) !== 'distinct',
  },
]

export const companyVetoes: readonly Veto<CompanyTraits>[] = [
  differentExternalIds,
  {
    words: 'they are in different countries',
    most: 'review',
    holds: ({ country: one }, { country: other }) => one !== null && other !== null && one !== other,
  },
  {
    words: 'they have different domains',
    most: 'review',
    holds: (one, other) => differ(one.domains, other.domains),
  },
  {
    words: 'they have different LinkedIn pages',
    most: 'review',
    holds: (one, other) => differ(one.profiles, other.profiles),
  },
  {
    words: 'their names contradict each other',
    most: 'review',
    holds: contradict,
  },
]

/** Two that cannot both be what a record without a name stands for. */
export const contradictingCompanies = contradict
