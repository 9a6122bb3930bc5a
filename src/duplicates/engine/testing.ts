import { expect } from 'vitest'
import { companies } from '../../companies/companies.ts'
import { contacts } from '../../contacts/contacts.ts'
import { deals } from '../../deals/deals.ts'
import { defaultSettings, type EngineSettings } from '../settings.ts'
import { readComparable } from './comparable-record.ts'
import { defaultMatcher } from './decision-model.ts'
import { type Judgment, judge } from './judge.ts'

// The tests in this folder judge two records. The records are given as fields that a client sends.

type Fields = Record<string, unknown>

/** The expected rule and outcome. With `not auto`, every other outcome passes. */
export type Case = [
  what: string,
  one: Fields,
  other: Fields,
  rule: string | null,
  outcome: 'auto' | 'review' | 'none' | 'not auto',
]

/** Judges both orders of the records. */
export function expectJudged(
  judgeTwo: (one: Fields, other: Fields) => Judgment,
  ...[one, other, rule, outcome]: [Fields, Fields, Case[3], Case[4]]
): void {
  const judged = judgeTwo(one, other)
  expect(judged.rule).toBe(rule)
  if (outcome === 'not auto') expect(judged.outcome).not.toBe('auto')
  else expect(judged.outcome).toBe(outcome)
  expect(judgeTwo(other, one)).toEqual(judged)
}

const orgDefaults = { defaultCountry: null, stages: ['Lead'] }

/** Judges two contacts by the default model and these settings. */
export function judgeContacts(one: Fields, other: Fields, settings: Partial<EngineSettings> = {}): Judgment {
  const model = { ...defaultMatcher('contact', 0), settings: { ...defaultSettings, ...settings } }
  const prepare = (fields: Fields) =>
    readComparable.contact(
      contacts.apply(null, contacts.input.parse(fields), orgDefaults, false),
      model.matcher,
    )
  return judge('contact', model, prepare(one), prepare(other))
}

/** Judges two companies by the default model and these settings. */
export function judgeCompanies(one: Fields, other: Fields, settings: Partial<EngineSettings> = {}): Judgment {
  const model = { ...defaultMatcher('company', 0), settings: { ...defaultSettings, ...settings } }
  const prepare = (fields: Fields) =>
    readComparable.company(
      companies.apply(null, companies.input.parse(fields), orgDefaults, false),
      model.matcher,
    )
  return judge('company', model, prepare(one), prepare(other))
}

/** Both values may have columns that clients do not send, such as `closed_at`. */
export function judgeDeals(one: Fields, other: Fields, settings: Partial<EngineSettings> = {}): Judgment {
  const model = { ...defaultMatcher('deal', 0), settings: { ...defaultSettings, ...settings } }
  const prepare = ({ company_id = null, contact_ids = [], closed_at = null, ...fields }: Fields) => {
    const state = deals.apply(null, deals.input.parse(fields), orgDefaults, false)
    return readComparable.deal({ ...state, company_id, contact_ids, closed_at }, model.matcher)
  }
  return judge('deal', model, prepare(one), prepare(other))
}
