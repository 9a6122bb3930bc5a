import { expect, test } from 'vitest'
import { mapColumns } from './columns.ts'
import type { Entity } from './synonyms.ts'

const fieldsOf = (header: string, entity: Entity) => {
  const { source, columns } = mapColumns(header.split(','), entity)
  return { source, fields: Object.fromEntries(columns.map(({ header, field }) => [header, field])) }
}

test.each<[string, Entity, string, object]>([
  [
    'hubspot',
    'contact',
    'Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Contact owner,Lifecycle Stage,Job Title,Associated Company,Associated Company IDs,State/Region,Country/Region',
    {
      'Record ID': { external_id: 'hubspot' },
      'First Name': 'first_name',
      'Phone Number': 'phone',
      'Mobile Phone Number': 'phone',
      'Lifecycle Stage': 'lifecycle_stage',
      'Associated Company': 'company_name',
      'Associated Company IDs': { custom: 'Associated Company IDs' },
      'State/Region': 'region',
      'Country/Region': 'country',
    },
  ],
  [
    'hubspot',
    'company',
    'Record ID,Company name,Company owner,Phone Number,City,Industry,Company Domain Name',
    {
      'Record ID': { external_id: 'hubspot' },
      'Company name': 'name',
      'Company Domain Name': 'domain',
      Industry: 'industry',
    },
  ],
  [
    'salesforce',
    'contact',
    'ID,ISDELETED,MASTERRECORDID,ACCOUNTID,LASTNAME,FIRSTNAME,MAILINGCITY,MAILINGSTATE,MAILINGCOUNTRY,PHONE,MOBILEPHONE,EMAIL,TITLE,OWNERID',
    {
      ID: { external_id: 'salesforce' },
      ACCOUNTID: { custom: 'ACCOUNTID' },
      LASTNAME: 'last_name',
      MAILINGCITY: 'city',
      MAILINGSTATE: 'region',
      MOBILEPHONE: 'phone',
      TITLE: 'job_title',
    },
  ],
  [
    'salesforce',
    'contact',
    'Contact ID,First Name,Last Name,Title,Account Name,Mailing Street,Mailing City,Mailing State/Province,Mailing Country,Email',
    {
      'Contact ID': { external_id: 'salesforce' },
      'Account Name': 'company_name',
      'Mailing State/Province': 'region',
    },
  ],
  [
    'salesforce',
    'contact',
    'Lead ID,First Name,Last Name,Company / Account,Lead Source,Email',
    { 'Lead ID': { external_id: 'salesforce' }, 'Company / Account': 'company_name' },
  ],
  [
    'salesforce',
    'company',
    'Account ID,Account Name,Billing City,Billing State/Province,Billing Country,Website,Employees,Account Owner',
    {
      'Account ID': { external_id: 'salesforce' },
      'Account Name': 'name',
      'Billing City': 'city',
      'Billing State/Province': 'region',
      Employees: 'employee_count',
    },
  ],
  [
    'twenty',
    'contact',
    'Id,Name / First Name,Name / Last Name,Emails / Primary Email,Emails / Additional Emails,Phones / Primary Phone Number,Linkedin / Link URL,Job Title,City',
    {
      Id: { external_id: 'twenty' },
      'Name / First Name': 'first_name',
      'Name / Last Name': 'last_name',
      'Emails / Primary Email': 'email',
      'Phones / Primary Phone Number': 'phone',
      'Linkedin / Link URL': 'linkedin_url',
      City: 'city',
    },
  ],
  [
    'twenty',
    'contact',
    'id,First Name (name),Last Name (name),Primary Email (emails)',
    {
      id: { external_id: 'twenty' },
      'First Name (name)': 'first_name',
      'Last Name (name)': 'last_name',
      'Primary Email (emails)': 'email',
    },
  ],
  [
    'twenty',
    'company',
    'Id,Name,Domain Name / Link URL,Domain Name / Link Label,Address / Address City,Address / City,Employees',
    {
      Id: { external_id: 'twenty' },
      Name: 'name',
      'Domain Name / Link URL': 'website',
      'Address / City': 'city',
      Employees: 'employee_count',
    },
  ],
])('an export of %s with %ss is recognized by its headers (%#)', (source, entity, header, fields) => {
  expect(fieldsOf(header, entity)).toMatchObject({ source, fields })
})

test.each<[Entity, string]>([
  ['contact', 'Name,Email'],
  ['contact', 'Id,First Name,Last Name,Email'],
  ['contact', 'Record ID,Email'],
  ['company', 'Id,Name,City'],
  ['contact', 'constructor,__proto__'],
])('other files of %ss are not an export: %s', (entity, header) => {
  expect(fieldsOf(header, entity).source).toBeNull()
})

test('a mapping in the request overrides the recognized columns of a CRM export', () => {
  const { columns } = mapColumns(['Record ID', 'Contact owner'], 'contact', { 'Record ID': 'ignore' })
  expect(columns).toMatchObject([{ field: null }, { field: { custom: 'Contact owner' } }])
})
