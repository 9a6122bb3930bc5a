import { compareGivenNames, comparePersonNames } from '../matcher/names/compare-persons.ts'
import type { NameLevel } from '../matcher/names/comparison.ts'
import type { PersonName } from '../matcher/names/person.ts'
import {
  areAlike,
  contradict,
  differ,
  differentExternalIds,
  type Rule,
  shareExternalId,
  shares,
  type Veto,
} from './rule.ts'
import type { ContactTraits } from './traits.ts'

/** How two people's names compare; undefined if one has none. */
export const comparePeople = (one: ContactTraits, other: ContactTraits): NameLevel | undefined =>
  comparePersonNames(one.name, other.name)?.level

/** First and last name; where only one is known, many have it. */
const isFull = ({ tokens }: PersonName) => tokens.length > 1

const areFull = (one: ContactTraits, other: ContactTraits) => isFull(one.name) && isFull(other.name)
const oneIsNameless = (one: ContactTraits, other: ContactTraits) =>
  one.name.tokens.length === 0 || other.name.tokens.length === 0

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
    // The same name, or a part of it.
    holds: (one, other, names) =>
      shares(one.emails, other.emails) && (areAlike(names) || names === 'compatible'),
  },
  {
    name: 'same_linkedin',
    outcome: 'auto',
    holds: (one, other, names) => shares(one.profiles, other.profiles) && !contradict(names),
  },
  {
    name: 'same_phone_and_name',
    outcome: 'auto',
    holds: (one, other, names) => shares(one.phones, other.phones) && areFull(one, other) && areAlike(names),
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
    holds: (one, other, names) => shares(one.emails, other.emails) && contradict(names),
  },
  {
    name: 'same_role_mailbox_and_name',
    outcome: 'review',
    holds: (one, other, names) =>
      shares(one.roleEmails, other.roleEmails) && areFull(one, other) && areAlike(names),
  },
]

export const contactVetoes: readonly Veto<ContactTraits>[] = [
  {
    words: 'they have different LinkedIn profiles and different first names',
    most: 'none',
    holds: (one, other) => {
      if (!differ(one.profiles, other.profiles)) return false
      const given = compareGivenNames(one.name, other.name)?.level
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
    holds: (_one, _other, names) => contradict(names),
  },
]
