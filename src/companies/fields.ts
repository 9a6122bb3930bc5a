import { z } from 'zod'
import { readDomain } from '../normalize/domain.ts'
import { domainOfWebsite } from '../normalize/website.ts'
import { integer } from '../platform/http/fields.ts'
import { filterText } from '../platform/http/list.ts'
import { commonFields, profileFields } from '../records/base-fields.ts'
import { domain } from '../records/fields.ts'
import { lineField, primaryList } from '../records/make-field.ts'
import { ownerFields } from '../records/owners/owner-fields.ts'
import { phoneFields } from '../records/phones.ts'
import type { Fields, RecordField } from '../records/record-type.ts'

function fromWebsite({ domain, domains, website }: Fields): string[] {
  if (typeof website !== 'string' || domain !== undefined || domains !== undefined) return []
  const found = domainOfWebsite(website)
  return found === null ? [] : [found]
}

const domainsFields = primaryList({
  one: 'domain',
  all: 'domains',
  item: domain,
  max: 50,
  about: {
    one: 'The primary domain, which is the first of `domains`. A web address is cut down to its host.',
    all: 'All domains of the company, the primary domain first.',
  },
  headers: 'domain domains domainname companydomain companydomainname primarydomain emaildomain webdomain',
  keyOf: (value) => value,
  otherwise: fromWebsite,
  key: {
    kind: 'domain',
    filter: {
      schema: filterText(2000),
      description: 'Only companies with this domain, or with the domain of this web address.',
      key: (value) => {
        const read = readDomain(value)
        return 'domain' in read ? { kind: 'domain', value: read.domain } : read
      },
    },
  },
})

const employeeCount: RecordField = {
  about: 'How many people the company employs; null: not known.',
  columns: 'integer',
  input: integer({ min: 0, max: 100_000_000 }).nullable().optional(),
  output: z.int().nullable(),
  headers:
    'employeecount employees numberofemployees noofemployees headcount staff employeesize companyheadcount ' +
    'mitarbeiter mitarbeiterzahl',
}

/** To add a field, add a line here and a migration with its column. */
export const companyFields = {
  name: lineField('What the company is called; null: not known.', 300, {
    headers:
      'name fullname displayname legalname company companyname organisation organization organisationname ' +
      'organizationname org orgname account accountname employer business businessname firm firma firmenname ' +
      'unternehmen entreprise societe empresa azienda bedrijf personorganization associatedcompany ' +
      'companyororganization',
  }),
  ...domainsFields,
  ...phoneFields,
  website: lineField(
    'The website. If the company has no domain, it gets the domain of the website, unless many companies share that host.',
    2000,
    {
      headers:
        'website websites web url homepage websiteurl companywebsite webpage siteweb internet webseite weburl',
    },
  ),
  industry: lineField('What the company does; null: not known.', 200, {
    headers: 'industry sector companyindustry branche vertical secteur sector industria',
  }),
  employee_count: employeeCount,
  ...profileFields(
    'linkedin linkedinurl companylinkedinurl linkedincompanypage linkedincompanyurl linkedinprofile linkedinpage',
  ),
  ...ownerFields('The e-mail address of the member who owns the company; null: nobody.'),
  ...commonFields,
}
