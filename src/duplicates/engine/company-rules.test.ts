import { test } from 'vitest'
import { type Case, expectJudged, judgeCompanies } from './testing.ts'

const domain = 'acme.example'
const phone = '+442079460000'
const page = 'https://www.linkedin.com/company/acme'

const cases: Case[] = [
  [
    'a domain and the name',
    { name: 'Acme', domain },
    { name: 'ACME', domain },
    'same_domain_and_name',
    'auto',
  ],
  [
    'a legal form more',
    { name: 'Acme', domain },
    { name: 'Acme Ltd.', domain },
    'same_domain_and_name',
    'auto',
  ],
  [
    'a subdomain',
    { name: 'Acme', domain: 'www.acme.co.uk' },
    { name: 'Acme', domain: 'shop.acme.co.uk' },
    'same_domain_and_name',
    'auto',
  ],
  [
    'a website instead of a domain',
    { name: 'Acme', domain },
    { name: 'Acme', website: 'https://acme.example/about' },
    'same_domain_and_name',
    'auto',
  ],
  [
    'a second domain in common',
    { name: 'Acme', domains: ['acme.net', domain] },
    { name: 'Acme', domain },
    'same_domain_and_name',
    'auto',
  ],
  ['no name on one side', { name: 'Acme', domain }, { domain }, 'same_domain', 'auto'],
  [
    'a page',
    { name: 'Acme', linkedin_url: page },
    { name: 'Acme Inc', linkedin_url: 'linkedin.com/company/Acme/' },
    'same_linkedin',
    'auto',
  ],
  [
    'an id in one system',
    { name: 'Acme', external_ids: { erp: '1' } },
    { name: 'Acme', external_ids: { erp: '1' } },
    'same_external_id',
    'auto',
  ],
  [
    'a phone and the name',
    { name: 'Acme', phone },
    { name: 'Acme GmbH', phone },
    'same_phone_and_name',
    'auto',
  ],
  [
    'moved to another city',
    { name: 'Acme', domain, city: 'Leeds' },
    { name: 'Acme', domain, city: 'York' },
    'same_domain_and_name',
    'auto',
  ],

  [
    'two names at one domain',
    { name: 'Acme', domain },
    { name: 'Acme Logistics', domain },
    'shared_domain',
    'review',
  ],
  [
    'two countries',
    { name: 'Acme', domain, country: 'DE' },
    { name: 'Acme', domain, country: 'FR' },
    'same_domain_and_name',
    'review',
  ],
  [
    'a country in words',
    { name: 'Acme', domain, country: 'DE' },
    { name: 'Acme', domain, country: 'Germany' },
    'same_domain_and_name',
    'auto',
  ],
  [
    'other ids in one system',
    { name: 'Acme', domain, external_ids: { erp: '1' } },
    { name: 'Acme', domain, external_ids: { erp: '2' } },
    'same_domain_and_name',
    'review',
  ],
  [
    'one id, two names',
    { name: 'Acme', external_ids: { erp: '1' } },
    { name: 'Globex', external_ids: { erp: '1' } },
    'same_external_id',
    'review',
  ],
  [
    'another domain',
    { name: 'Acme', domain, phone },
    { name: 'Acme', domain: 'acme-tools.example', phone },
    'same_phone_and_name',
    'review',
  ],
  [
    'another page',
    { name: 'Acme', domain, linkedin_url: page },
    { name: 'Acme', domain, linkedin_url: 'linkedin.com/company/acme-two' },
    'same_domain_and_name',
    'review',
  ],

  ['a name alone', { name: 'Acme' }, { name: 'Acme' }, null, 'not auto'],
  ['a switchboard of two', { name: 'Acme', phone }, { name: 'Globex', phone }, null, 'not auto'],
  [
    'a mail provider as the domain',
    { name: 'Acme', domain: 'gmail.com' },
    { name: 'Globex', domain: 'gmail.com' },
    null,
    'none',
  ],
  [
    'a page on a host of many',
    { name: 'Acme', domain: 'facebook.com' },
    { domain: 'facebook.com' },
    null,
    'none',
  ],
  ['nothing in common', { name: 'Acme', domain }, { name: 'Globex', domain: 'globex.example' }, null, 'none'],
]

test.each(cases)(
  'two companies with this relation are judged as expected: %s',
  (_what, one, other, rule, outcome) => {
    expectJudged(judgeCompanies, one, other, rule, outcome)
  },
)
