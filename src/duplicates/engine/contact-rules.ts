import { compareGivenNames, comparePersonNames } from '../../matching/names/compare-persons.ts'
import type { NameLevel } from '../../matching/names/comparison.ts'
import type { PersonName } from '../../matching/names/person.ts'
import type { ContactTraits } from './comparable-record.ts'
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

/** Compares the names of two people; undefined if one person has no name. */
export const comparePeople = (one: ContactTraits, other: ContactTraits): NameLevel | undefined =>
  comparePersonNames(one.name, other.name)?.level

/** Require a full name: many people share a first or last name. */
const isFull = ({ tokens }: PersonName) => tokens.length > 1

const areFull = (one: ContactTraits, other: ContactTraits) => isFull(one.name) && isFull(other.name)
const oneIsNameless = (one: ContactTraits, other: ContactTraits) =>
  one.name.tokens.length === 0 || other.name.tokens.length === 0

/** The first rule that applies is shown as the reason. */
export const contactRules: readonly Rule<ContactTraits>[] = [
  {
    name: 'same_external_id',
    outcome: 'auto',
    holds: (one, other) => shareExternalId(one.externalIds, other.externalIds),
  },
  {
    name: 'same_email_and_name',
    outcome: 'auto',
    // If the addresses are equal, one name may be a part of the other (`compatible`).
    holds: (one, other, names) =>
      haveCommonValue(one.emails, other.emails) && (areNamesAlike(names) || names === 'compatible'),
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
      haveCommonValue(one.phones, other.phones) && areFull(one, other) && areNamesAlike(names),
  },
  {
    name: 'same_email',
    outcome: 'auto',
    onlyIfUnambiguous: true,
    holds: (one, other) => haveCommonValue(one.emails, other.emails) && oneIsNameless(one, other),
  },
  {
    name: 'shared_mailbox',
    outcome: 'review',
    holds: (one, other, names) => haveCommonValue(one.emails, other.emails) && namesContradict(names),
  },
  {
    name: 'same_role_mailbox_and_name',
    outcome: 'review',
    holds: (one, other, names) =>
      haveCommonValue(one.roleEmails, other.roleEmails) && areFull(one, other) && areNamesAlike(names),
  },
]

export const contactVetoes: readonly Veto<ContactTraits>[] = [
  {
    words: 'they have different LinkedIn profiles and different first names',
    maxOutcome: 'none',
    holds: (one, other) => {
      if (!haveOnlyOtherValues(one.profiles, other.profiles)) return false
      const given = compareGivenNames(one.name, other.name)?.level
      return given === 'partial' || given === 'distinct'
    },
  },
  {
    words: 'they are of different generations, such as senior and junior',
    maxOutcome: 'none',
    holds: ({ name: { generation: one } }, { name: { generation: other } }) =>
      one > 0 && other > 0 && one !== other,
  },
  {
    words: 'one of them is only claimed by a visitor, and nobody verified it',
    maxOutcome: 'review',
    holds: (one, other) => one.isClaimed || other.isClaimed,
  },
  {
    words: 'only one name has a suffix such as junior or senior',
    maxOutcome: 'review',
    holds: (one, other) => one.name.generation !== other.name.generation && areFull(one, other),
  },
  differentExternalIds,
  {
    words: 'they have different LinkedIn profiles',
    maxOutcome: 'review',
    holds: (one, other) => haveOnlyOtherValues(one.profiles, other.profiles),
  },
  {
    words: 'their names contradict each other',
    maxOutcome: 'review',
    holds: (_one, _other, names) => namesContradict(names),
  },
]
