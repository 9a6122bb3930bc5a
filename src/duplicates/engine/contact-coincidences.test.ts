import { test } from 'vitest'
import { type Case, expectJudged, judgeContacts } from './testing.ts'

const ada = { first_name: 'Ada', last_name: 'Lovelace' }
const email = 'ada@engine.example'
const phone = '+14155550100'

const cases: Case[] = [
  [
    'info@ and two people',
    { ...ada, email: 'info@engine.example' },
    { first_name: 'Charles', last_name: 'Babbage', email: 'info@engine.example' },
    null,
    'none',
  ],
  [
    'info@ and one name',
    { ...ada, email: 'info@engine.example' },
    { ...ada, email: 'info@engine.example' },
    'same_role_mailbox_and_name',
    'review',
  ],
  [
    'info@ without names',
    { email: 'info@engine.example' },
    { email: 'info@engine.example', city: 'London' },
    null,
    'none',
  ],
  [
    'info@ and a name on one side',
    { ...ada, email: 'info@engine.example' },
    { email: 'info@engine.example' },
    null,
    'none',
  ],
  [
    'sales@ and a first name',
    { first_name: 'Ada', email: 'sales@engine.example' },
    { first_name: 'Ada', email: 'sales@engine.example' },
    null,
    'none',
  ],
  [
    'info@ beside an own address',
    { ...ada, emails: ['info@engine.example', email] },
    { ...ada, emails: [email, 'info@engine.example'] },
    'same_email_and_name',
    'auto',
  ],

  [
    'the same phone, different people',
    { ...ada, phone },
    { first_name: 'Charles', last_name: 'Babbage', phone },
    null,
    'not auto',
  ],
  [
    'the same phone and first name',
    { first_name: 'Ada', phone },
    { first_name: 'Ada', phone },
    null,
    'not auto',
  ],
  ['the same phone, one without a name', { ...ada, phone }, { phone }, null, 'none'],
  [
    'the same phone and last name',
    { ...ada, phone },
    { first_name: 'Byron', last_name: 'Lovelace', phone },
    null,
    'not auto',
  ],
  [
    'the same company',
    { ...ada, company_name: 'Engine Ltd' },
    { first_name: 'Charles', last_name: 'Babbage', company_name: 'Engine Ltd' },
    null,
    'not auto',
  ],
  [
    'the same domain',
    { ...ada, email },
    { first_name: 'Charles', last_name: 'Babbage', email: 'charles@engine.example' },
    null,
    'none',
  ],
  [
    'the same mail provider',
    { ...ada, email: 'ada@gmail.com' },
    { first_name: 'Charles', last_name: 'Babbage', email: 'charles@gmail.com' },
    null,
    'none',
  ],
  [
    'a namesake elsewhere',
    { first_name: 'John', last_name: 'Smith', city: 'Leeds', email: 'js@a.example', company_name: 'Alpha' },
    { first_name: 'John', last_name: 'Smith', city: 'Perth', email: 'john@b.example', company_name: 'Beta' },
    null,
    'not auto',
  ],
  ['a first name', { first_name: 'Ada' }, { first_name: 'Ada' }, null, 'none'],
  [
    'nothing in common',
    { ...ada, email },
    { first_name: 'Grace', last_name: 'Hopper', email: 'grace@navy.example' },
    null,
    'none',
  ],
  ['a tag in common', { ...ada, tags: ['vip'] }, { first_name: 'Grace', tags: ['vip'] }, null, 'none'],

  [
    'the same name at the same company',
    { ...ada, company_name: 'Engine', city: 'London' },
    { ...ada, company_name: 'Engine', city: 'London' },
    null,
    'review',
  ],
  [
    'two addresses at the same company',
    { ...ada, company_name: 'Engine', email },
    { ...ada, company_name: 'Engine', email: 'ada.lovelace2@engine.example' },
    null,
    'review',
  ],
  [
    'siblings at the same company',
    { ...ada, company_name: 'Engine', email, city: 'London' },
    { first_name: 'Ralph', last_name: 'Lovelace', company_name: 'Engine', city: 'London' },
    null,
    'none',
  ],
]

test.each(cases)(
  'two people who share a value by coincidence are judged as expected: %s',
  (_what, one, other, rule, outcome) => {
    expectJudged(judgeContacts, one, other, rule, outcome)
  },
)
