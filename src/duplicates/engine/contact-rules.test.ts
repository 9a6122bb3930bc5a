import { expect, test } from 'vitest'
import { judgeContacts } from './testing.ts'

type Case = [what: string, one: Record<string, unknown>, other: Record<string, unknown>, rule: string]

const ada = { first_name: 'Ada', last_name: 'Lovelace' }
const email = 'ada@engine.example'
const phone = '+14155550100'
const linkedin = 'https://www.linkedin.com/in/ada-lovelace'

const cases: Case[] = [
  ['twins', { ...ada, email }, { ...ada, email }, 'same_email_and_name'],
  [
    'in capitals',
    { ...ada, email },
    { first_name: 'ADA', last_name: 'LOVELACE', email: 'ADA@Engine.example' },
    'same_email_and_name',
  ],
  [
    'accents',
    { first_name: 'José', last_name: 'Núñez', email },
    { first_name: 'Jose', last_name: 'Nunez', email },
    'same_email_and_name',
  ],
  [
    'a tag in the address',
    { ...ada, email },
    { ...ada, email: 'ada+news@engine.example' },
    'same_email_and_name',
  ],
  [
    'dots in a Gmail address',
    { ...ada, email: 'ada.lovelace@gmail.com' },
    { ...ada, email: 'adalovelace@googlemail.com' },
    'same_email_and_name',
  ],
  [
    'a nickname',
    { first_name: 'Robert', last_name: 'Brown', email },
    { first_name: 'Bob', last_name: 'Brown', email },
    'same_email_and_name',
  ],
  [
    'a typo in the name',
    { first_name: 'Charles', last_name: 'Babbage', email },
    { first_name: 'Charles', last_name: 'Babbgae', email },
    'same_email_and_name',
  ],
  [
    'swapped names',
    { ...ada, email },
    { first_name: 'Lovelace', last_name: 'Ada', email },
    'same_email_and_name',
  ],
  [
    'an initial',
    { ...ada, email },
    { first_name: 'A.', last_name: 'Lovelace', email },
    'same_email_and_name',
  ],
  ['one name alone', { ...ada, email }, { first_name: 'Ada', email }, 'same_email_and_name'],
  [
    'a title',
    { ...ada, email },
    { first_name: 'Dr. Ada', last_name: 'Lovelace', email },
    'same_email_and_name',
  ],
  [
    'a middle name',
    { ...ada, email },
    { first_name: 'Ada Augusta', last_name: 'Lovelace', email },
    'same_email_and_name',
  ],
  ['whole name in one field', { ...ada, email }, { last_name: 'Ada Lovelace', email }, 'same_email_and_name'],
  [
    'a second address in common',
    { ...ada, emails: ['a@x.example', email] },
    { ...ada, email },
    'same_email_and_name',
  ],
  ['no name on one side', { ...ada, email }, { email }, 'same_email'],
  ['no name on either side', { email }, { email, city: 'London' }, 'same_email'],
  [
    'an id in one system',
    { ...ada, external_ids: { crm: '7' } },
    { ...ada, external_ids: { crm: '7' } },
    'same_external_id',
  ],
  [
    'the id comes before the address',
    { ...ada, email, external_ids: { crm: '7' } },
    { ...ada, email, external_ids: { crm: '7' } },
    'same_external_id',
  ],
  [
    'one profile',
    { ...ada, linkedin_url: linkedin },
    { ...ada, linkedin_url: 'linkedin.com/in/Ada-Lovelace/?trk=x' },
    'same_linkedin',
  ],
  [
    'a profile, and a new job',
    { ...ada, linkedin_url: linkedin, email, company_name: 'Engine' },
    { ...ada, linkedin_url: linkedin, email: 'ada@loom.example', company_name: 'Loom' },
    'same_linkedin',
  ],
  ['a phone and the name', { ...ada, phone }, { ...ada, phone }, 'same_phone_and_name'],
  [
    'a phone, and a new job',
    { ...ada, phone, email, company_name: 'Engine' },
    { ...ada, phone, email: 'ada@loom.example', company_name: 'Loom' },
    'same_phone_and_name',
  ],
  [
    'a phone, and the private address',
    { ...ada, phone, email },
    { ...ada, phone, email: 'lovelace15@gmail.com' },
    'same_phone_and_name',
  ],
  [
    'a phone and a nickname',
    { first_name: 'William', last_name: 'Byron', phone },
    { first_name: 'Bill', last_name: 'Byron', phone },
    'same_phone_and_name',
  ],
  [
    'another script',
    { first_name: 'Владимир', last_name: 'Петров', email },
    { first_name: 'Vladimir', last_name: 'Petrov', email },
    'same_email_and_name',
  ],
]

test.each(cases)('two records of one person are merged: %s', (_what, one, other, rule) => {
  const judged = judgeContacts(one, other)
  expect(judged).toMatchObject({ rule, outcome: 'auto', wouldApply: true, veto: null })
  expect(judgeContacts(other, one)).toEqual(judged)
})

test('the evidence of a match lists each field, the strongest first', () => {
  const { evidence } = judgeContacts(
    { ...ada, email, city: 'London' },
    { ...ada, email, city: 'Londn', phone },
  )
  expect(evidence.map(({ field, level }) => [field, level])).toEqual([
    ['email', 'the same'],
    ['last_name', 'the same'],
    ['first_name', 'the same'],
    ['city', 'nearly the same'],
  ])
})
