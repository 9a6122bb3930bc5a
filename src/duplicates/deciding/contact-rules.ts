import { compareNameParts, comparePersonNames } from '../matcher/names/compare-persons.ts'
import type { NameLevel } from '../matcher/names/comparison.ts'
import type { PersonName } from '../matcher/names/person.ts'
import { differ, differentExternalIds, type Rule, shareExternalId, shares, type Veto } from './rule.ts'
import type { ContactTraits } from './traits.ts'

type Names = Pick<ContactTraits, 'name'>

const levelOf = (one: Names, other: Names): NameLevel | undefined =>
  comparePersonNames(one.name, other.name)?.level

const alike: ReadonlySet<NameLevel | undefined> = new Set(['exact', 'equivalent', 'close'])
const contradicting: ReadonlySet<NameLevel | undefined> = new Set(['partial', 'distinct'])

/** One name, perhaps written in two ways. */
const areAlike = (one: Names, other: Names) => alike.has(levelOf(one, other))

/** Two people's names. */
const contradict = (one: Names, other: Names) => contradicting.has(levelOf(one, other))

/** Nothing against their being one's: the same name, or a part of it. */
const agree = (one: Names, other: Names) => areAlike(one, other) || levelOf(one, other) === 'compatible'

/** First and last name; where only one is known, many have it. */
const isFull = ({ tokens }: PersonName) => tokens.length > 1

const areFull = (one: Names, other: Names) => isFull(one.name) && isFull(other.name)
const isNameless = ({ name }: Names) => name.tokens.length === 0
const oneIsNameless = (one: Names, other: Names) => isNameless(one) || isNameless(other)

/** Rules for people; the first one that holds is given as the reason. */
export const contactRules: readonly Rule<ContactTraits>[] = [
  {
    name: 'same_external_id',
    outcome: 'auto',
    holds: (one, other) => shareExternalId(one.externalIds, other.externalIds),
  },
  {
    name: 'same_email_and_name',
    outcome: 'auto',
    holds: (one, other) => shares(one.emails, other.emails) && agree(one, other),
  },
  {
    name: 'same_linkedin',
    outcome: 'auto',
    holds: (one, other) => shares(one.profiles, other.profiles) && !contradict(one, other),
  },
  {
    name: 'same_phone_and_name',
    outcome: 'auto',
    holds: (one, other) => shares(one.phones, other.phones) && areFull(one, other) && areAlike(one, other),
  },
  {
    name: 'same_email',
    outcome: 'auto',
    alone: true,
    holds: (one, other) => shares(one.emails, other.emails) && oneIsNameless(one, other),
  },
  {
    name: 'shared_mailbox',
    outcome: 'review',
    holds: (one, other) => shares(one.emails, other.emails) && contradict(one, other),
  },
  {
    name: 'same_role_mailbox_and_name',
    outcome: 'review',
    holds: (one, other) =>
      shares(one.roleEmails, other.roleEmails) && areFull(one, other) && areAlike(one, other),
  },
]

export const contactVetoes: readonly Veto<ContactTraits>[] = [
  {
    words: 'they have different LinkedIn profiles and different first names',
    most: 'none',
    holds: (one, other) => {
      if (!differ(one.profiles, other.profiles)) return false
      const given = compareNameParts(one.name, other.name, 'given')?.level
      return given === 'partial' || given === 'distinct'
    },
  },
  {
    words: 'one is the elder and one the younger of that name',
    most: 'none',
    holds: ({ name: { generation: one } }, { name: { generation: other } }) =>
      one > 0 && other > 0 && one !== other,
  },
  {
    words: 'only one of them is called junior, senior or the like',
    most: 'review',
    holds: (one, other) => one.name.generation !== other.name.generation && areFull(one, other),
  },
  differentExternalIds,
  {
    words: 'they have different LinkedIn profiles',
    most: 'review',
    holds: (one, other) => differ(one.profiles, other.profiles),
  },
  {
    words: 'their names contradict each other',
    most: 'review',
    holds: contradict,
  },
]

/** Two that cannot both be whom a record without a name stands for. */
export const contradictingContacts = contradict
