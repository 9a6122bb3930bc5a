import { expect, test } from 'vitest'
import { type Case, expectJudged, judgeContacts } from './testing.ts'

const ada = { first_name: 'Ada', last_name: 'Lovelace' }
const email = 'ada@engine.example'
const phone = '+14155550100'
const linkedin = 'https://www.linkedin.com/in/ada-lovelace'

const cases: Case[] = [
  [
    'siblings at one mailbox',
    { ...ada, email: 'lovelaces@home.example' },
    { first_name: 'Ralph', last_name: 'Lovelace', email: 'lovelaces@home.example' },
    'shared_mailbox',
    'review',
  ],
  [
    'a couple at one mailbox',
    { ...ada, email },
    { first_name: 'William', last_name: 'King', email },
    'shared_mailbox',
    'review',
  ],
  [
    'perhaps married since',
    { ...ada, email },
    { first_name: 'Ada', last_name: 'King', email },
    'shared_mailbox',
    'review',
  ],
  [
    'siblings with profiles',
    { ...ada, email, linkedin_url: linkedin },
    { first_name: 'Ralph', last_name: 'Lovelace', email, linkedin_url: 'linkedin.com/in/ralph' },
    'shared_mailbox',
    'none',
  ],
  [
    'an assistant’s mailbox and the same phone',
    { ...ada, email, phone },
    { first_name: 'Mary', last_name: 'Somerville', email, phone },
    'shared_mailbox',
    'review',
  ],

  [
    'senior and junior',
    { first_name: 'John', last_name: 'Smith Sr.', email, phone },
    { first_name: 'John', last_name: 'Smith Jr.', email, phone },
    'shared_mailbox',
    'none',
  ],
  [
    'the second and the third',
    { first_name: 'John', last_name: 'Smith II', phone },
    { first_name: 'John', last_name: 'Smith III', phone },
    null,
    'none',
  ],
  [
    'only one says junior',
    { first_name: 'John', last_name: 'Smith', phone },
    { first_name: 'John', last_name: 'Smith Jr.', phone },
    'same_phone_and_name',
    'review',
  ],
  [
    'junior at one mailbox',
    { first_name: 'John', last_name: 'Smith', email },
    { first_name: 'John', last_name: 'Smith Jr', email },
    'same_email_and_name',
    'review',
  ],

  [
    'other ids in one system',
    { ...ada, email, external_ids: { crm: '7' } },
    { ...ada, email, external_ids: { crm: '8' } },
    'same_email_and_name',
    'review',
  ],
  [
    'ids in two systems',
    { ...ada, email, external_ids: { crm: '7' } },
    { ...ada, email, external_ids: { shop: '7' } },
    'same_email_and_name',
    'auto',
  ],
  [
    'the same id in two systems',
    { ...ada, external_ids: { crm: '7' } },
    { first_name: 'Grace', external_ids: { shop: '7' } },
    null,
    'none',
  ],
  [
    'one id the same, another not',
    { ...ada, external_ids: { crm: '7', shop: '1' } },
    { ...ada, external_ids: { crm: '7', shop: '2' } },
    'same_external_id',
    'review',
  ],
  [
    'one id, two names',
    { ...ada, external_ids: { crm: '7' } },
    { first_name: 'Grace', last_name: 'Hopper', external_ids: { crm: '7' } },
    'same_external_id',
    'review',
  ],

  [
    'another profile',
    { ...ada, email, linkedin_url: linkedin },
    { ...ada, email, linkedin_url: 'linkedin.com/in/countess' },
    'same_email_and_name',
    'review',
  ],
  [
    'one profile, two names',
    { ...ada, linkedin_url: linkedin },
    { first_name: 'Grace', last_name: 'Hopper', linkedin_url: linkedin },
    null,
    'not auto',
  ],
  [
    'another profile and a nickname',
    { first_name: 'Robert', last_name: 'Brown', phone, linkedin_url: 'linkedin.com/in/rob' },
    { first_name: 'Bob', last_name: 'Brown', phone, linkedin_url: 'linkedin.com/in/bob' },
    'same_phone_and_name',
    'review',
  ],
  [
    'a search instead of a profile',
    { ...ada, linkedin_url: 'linkedin.com/search?q=ada' },
    { first_name: 'Grace', linkedin_url: 'linkedin.com/search?q=ada' },
    null,
    'none',
  ],

  [
    'Mark and Mary',
    { first_name: 'Mark', last_name: 'Brown', email },
    { first_name: 'Mary', last_name: 'Brown', email },
    'shared_mailbox',
    'review',
  ],
  [
    'Daniel and Danielle',
    { first_name: 'Daniel', last_name: 'Brown', phone },
    { first_name: 'Danielle', last_name: 'Brown', phone },
    null,
    'not auto',
  ],
  [
    'other initials',
    { first_name: 'A.', last_name: 'Brown', phone },
    { first_name: 'B.', last_name: 'Brown', phone },
    null,
    'not auto',
  ],
]

test.each(cases)(
  'records of perhaps two people are not merged automatically: %s',
  (_what, one, other, rule, outcome) => {
    expectJudged(judgeContacts, one, other, rule, outcome)
  },
)

test('a veto has a text that says why two records are not merged', () => {
  const vetoOf = (one: object, other: object) =>
    judgeContacts({ ...ada, email, ...one }, { ...ada, email, ...other }).veto
  expect(vetoOf({}, {})).toBeNull()
  expect(vetoOf({ external_ids: { crm: '1' } }, { external_ids: { crm: '2' } })).toMatch(/different ids/)
  expect(vetoOf({ last_name: 'Smith Jr' }, { last_name: 'Smith Sr' })).toMatch(/different generations/)
  expect(vetoOf({}, { first_name: 'Ralph' })).toMatch(/names contradict/)
})
