import { companies } from '../../companies/companies.ts'
import { contacts } from '../../contacts/contacts.ts'
import { deals } from '../../deals/deals.ts'
import { type Settings, shipped } from '../settings.ts'
import { type Judged, judge } from './judge.ts'
import { shippedMatcher } from './judging.ts'
import { portraits } from './traits.ts'

// For the tests beside this file: judges records as a writer would send them.

type Fields = Record<string, unknown>

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
