import { expect, test } from 'vitest'
import { type Case, expectJudged, judgeDeals } from './testing.ts'

const name = 'Website relaunch'
const company_id = '0190a3c4-0000-7000-8000-000000000001'
const contact_ids = ['0190a3c4-0000-7000-8000-000000000002']
const amount = { amount_cents: 1_250_000, currency: 'EUR' }

const cases: Case[] = [
  [
    'an id in one system',
    { name, external_ids: { crm: 'D1' } },
    { name: 'Relaunch', external_ids: { crm: 'D1' } },
    'same_external_id',
    'review',
  ],
  [
    'a company and the name',
    { name, company_id },
    { name: 'website relaunch', company_id },
    'same_company_and_name',
    'review',
  ],
  ['a contact and the name', { name, contact_ids }, { name, contact_ids }, 'same_contact_and_name', 'review'],
  [
    'a company and the amount',
    { name, company_id, ...amount },
    { name: 'Relaunch 2026', company_id, ...amount },
    'same_company_and_amount',
    'review',
  ],
  [
    'other ids in one system',
    { name, company_id, external_ids: { crm: 'D1' } },
    { name, company_id, external_ids: { crm: 'D2' } },
    'same_company_and_name',
    'review',
  ],
  ['other companies', { name }, { name, company_id }, null, 'none'],
  [
    'another currency',
    { name: 'A', company_id, ...amount },
    { name: 'B', company_id, ...amount, currency: 'USD' },
    null,
    'none',
  ],
  [
    'two companies',
    { name, company_id, contact_ids },
    { name, company_id: contact_ids[0], contact_ids },
    'same_contact_and_name',
    'none',
  ],
  [
    'two months in which they were closed',
    { name, company_id, closed_at: new Date('2026-01-05') },
    { name, company_id, closed_at: new Date('2026-02-05') },
    'same_company_and_name',
    'none',
  ],
]

test.each(cases)(
  'two deals with this in common are judged as expected: %s',
  (_what, one, other, rule, outcome) => {
    expectJudged(judgeDeals, one, other, rule, outcome)
    expect(judgeDeals(one, other).wouldApply).toBe(false)
  },
)
