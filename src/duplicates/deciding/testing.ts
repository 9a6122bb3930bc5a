import { expect } from 'vitest'
import { companies } from '../../companies/companies.ts'
import { contacts } from '../../contacts/contacts.ts'
import { deals } from '../../deals/deals.ts'
import { type Settings, shipped } from '../settings.ts'
import { type Judged, judge } from './judge.ts'
import { shippedMatcher } from './judging.ts'
import { portraits } from './traits.ts'

// For the tests beside this file: judges records as a writer would send them.

type Fields = Record<string, unknown>

/** Two records, and what is made of them; `not auto`: what more the score makes of it is the model's. */
export type Case = [
  what: string,
  one: Fields,
  other: Fields,
  rule: string | null,
  outcome: 'auto' | 'review' | 'none' | 'not auto',
]

/** Fails unless two records are judged so, whichever comes first. */
export function expectJudged(
  judgeTwo: (one: Fields, other: Fields) => Judged,
  ...[one, other, rule, outcome]: [Fields, Fields, Case[3], Case[4]]
): void {
  const judged = judgeTwo(one, other)
  expect(judged.rule).toBe(rule)
  if (outcome === 'not auto') expect(judged.outcome).not.toBe('auto')
  else expect(judged.outcome).toBe(outcome)
  expect(judgeTwo(other, one)).toEqual(judged)
}

const surroundings = { defaultCountry: null, stages: ['Lead'] }

export function judgeContacts(one: Fields, other: Fields, settings: Partial<Settings> = {}): Judged {
  const judging = { ...shippedMatcher('contact', 0), settings: { ...shipped, ...settings } }
  const draw = (fields: Fields) =>
    portraits.contact(
      contacts.apply(null, contacts.fields.parse(fields), surroundings, false),
      judging.matcher,
    )
  return judge('contact', judging, draw(one), draw(other))
}

export function judgeCompanies(one: Fields, other: Fields, settings: Partial<Settings> = {}): Judged {
  const judging = { ...shippedMatcher('company', 0), settings: { ...shipped, ...settings } }
  const draw = (fields: Fields) =>
    portraits.company(
      companies.apply(null, companies.fields.parse(fields), surroundings, false),
      judging.matcher,
    )
  return judge('company', judging, draw(one), draw(other))
}

/** @param one also columns that writers do not send: `closed_at` */
export function judgeDeals(one: Fields, other: Fields, settings: Partial<Settings> = {}): Judged {
  const judging = { ...shippedMatcher('deal', 0), settings: { ...shipped, ...settings } }
  const draw = ({ company_id = null, contact_ids = [], closed_at = null, ...fields }: Fields) => {
    const state = deals.apply(null, deals.fields.parse(fields), surroundings, false)
    return portraits.deal({ ...state, company_id, contact_ids, closed_at }, judging.matcher)
  }
  return judge('deal', judging, draw(one), draw(other))
}
