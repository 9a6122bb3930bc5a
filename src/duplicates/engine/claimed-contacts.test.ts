import { expect, test } from 'vitest'
import { contacts } from '../../contacts/contacts.ts'
import { defaultSettings } from '../settings.ts'
import { readComparable } from './comparable-record.ts'
import { contactRules } from './contact-rules.ts'
import { defaultMatcher } from './decision-model.ts'
import { judge } from './judge.ts'

const visitor = '01a20c20-4b1e-8a02-8d3a-5b6c7d8e9f01'
const model = {
  ...defaultMatcher('contact', 0),
  settings: {
    ...defaultSettings,
    mode: 'auto' as const,
    rules: Object.fromEntries(contactRules.map(({ name }) => [name, 'auto' as const])),
  },
}

function comparable(fields: object, claimedBy: string | null) {
  const state = contacts.apply(
    null,
    contacts.input.parse(fields),
    { defaultCountry: null, stages: ['Lead'] },
    false,
  )
  return readComparable.contact({ ...state, claimed_by: claimedBy }, model.matcher)
}

const ada = { first_name: 'Ada', last_name: 'Lovelace' }
const same: [rule: string, fields: object][] = [
  ['same_external_id', { ...ada, external_ids: { user_id: '7' } }],
  ['same_email_and_name', { ...ada, email: 'ada@engine.example' }],
  ['same_linkedin', { ...ada, linkedin_url: 'https://www.linkedin.com/in/ada-lovelace' }],
  ['same_phone_and_name', { ...ada, phone: '+14155550100' }],
  ['same_email', { email: 'ada@engine.example' }],
]

test.each(same)('with the rule %s in the mode auto, a claimed contact is only proposed', (rule, fields) => {
  const real = comparable(fields, null)
  expect(judge('contact', model, real, comparable(fields, null))).toMatchObject({ rule, applies: true })
  for (const other of [null, visitor]) {
    const claimed = judge('contact', model, comparable(fields, other), comparable(fields, visitor))
    expect(claimed).toMatchObject({ outcome: 'review', wouldApply: false, applies: false, isVetoed: true })
    expect(claimed.veto).toBe('one of them is only claimed by a visitor, and nobody verified it')
  }
})

test('contacts of the same visitor are not duplicates for that reason alone', () => {
  const of = (name: string) =>
    comparable({ first_name: name, external_ids: { crosswalk_visitor: visitor } }, visitor)
  expect(judge('contact', model, of('Ada'), of('Ralph'))).toMatchObject({ rule: null, outcome: 'none' })
})
