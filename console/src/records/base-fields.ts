import {
  choiceOperators,
  keyOperators,
  numberOperators,
  type RecordField,
  textOperators,
  timeOperators,
  type ValueType,
} from './record-field.ts'

type Details = Partial<Omit<RecordField, 'name' | 'label' | 'type' | 'group'>>

export const fieldsOf = (
  group: string,
  rows: readonly [string, string, ValueType, Details][],
): RecordField[] =>
  rows.map(([name, label, type, details]) => ({
    ...{ name, label, type, group, width: 150, operators: textOperators },
    ...details,
  }))

const text: Details = {}
export const list = (filter: string): Details => ({ filter, operators: keyOperators, width: 180 })
const choice = (...options: string[]): Details => ({ options, operators: choiceOperators, width: 120 })
export const setByApi: Details = { isReadOnly: true, operators: timeOperators, width: 110 }

const unreadable: Details = {
  ...{ isReadOnly: true, isRare: true, width: 170 },
  hint: 'A text that an import could not read.',
}

const consent: Details = { ...choice('granted', 'denied'), operators: keyOperators, isRuled: true }

const place = fieldsOf('Place', [
  ['city', 'City', 'text', { width: 130 }],
  ['region', 'Region', 'text', { width: 130 }],
  ['country', 'Country', 'text', { width: 130 }],
])

const record = fieldsOf('Record', [
  ['source', 'Source', 'text', { width: 120 }],
  ['created_at', 'Created', 'time', { ...setByApi, isSortable: true }],
  ['updated_at', 'Updated', 'time', { ...setByApi, isSortable: true }],
])

/** The fields of a contact that the console shows, in the order of the page of a person. */
export const contactFields: readonly RecordField[] = [
  ...fieldsOf('About', [
    ['first_name', 'First name', 'text', { width: 120 }],
    ['last_name', 'Last name', 'text', { width: 120 }],
    ['company_name', 'Company', 'text', { width: 170 }],
    ['company_id', 'Linked company', 'reference', { operators: ['eq', 'ne', 'is_null'], width: 170 }],
    ['job_title', 'Title', 'text', { width: 170 }],
    ['email', 'E-mail', 'email', { width: 210, listField: 'emails' }],
    ['emails', 'E-mails', 'list', { filter: 'email', operators: [], width: 210 }],
    ['phone', 'Phone', 'phone', { width: 140, listField: 'phones' }],
    ['phones', 'Phones', 'list', { filter: 'phone', operators: [], width: 140 }],
    ['email_raw', 'Unreadable e-mail', 'text', unreadable],
    ['phone_raw', 'Unreadable phone', 'text', unreadable],
    [
      'lifecycle_stage',
      'Stage',
      'select',
      choice('subscriber', 'lead', 'qualified', 'opportunity', 'customer', 'other'),
    ],
    [
      'owner_id',
      'Owner',
      'choice',
      { operators: ['eq', 'ne', 'is_null'], width: 150, mergedAs: 'owner_email' },
    ],
    ['tags', 'Tags', 'list', list('tag')],
    ['linkedin_url', 'LinkedIn', 'url', text],
  ]),
  ...fieldsOf('Consent', [
    [
      'consent.phone',
      'Phone consent',
      'select',
      { ...consent, hint: 'If the person denied it, no number of the person is called.' },
    ],
    ['consent.email', 'E-mail consent', 'select', consent],
  ]),
  ...place,
  ...record,
]

/** The fields of a company that the console shows, in the order of the page of a company. */
export const companyFields: readonly RecordField[] = [
  ...fieldsOf('About', [
    ['name', 'Name', 'text', { width: 200 }],
    ['domain', 'Domain', 'text', { width: 180, operators: keyOperators, listField: 'domains' }],
    ['domains', 'Domains', 'list', { filter: 'domain', operators: [], width: 180 }],
    ['website', 'Website', 'url', { width: 200 }],
    ['phone', 'Phone', 'phone', { width: 140 }],
    ['phone_raw', 'Unreadable phone', 'text', unreadable],
    ['industry', 'Industry', 'text', text],
    ['employee_count', 'Employees', 'number', { operators: numberOperators, width: 100 }],
    [
      'owner_id',
      'Owner',
      'choice',
      { operators: ['eq', 'ne', 'is_null'], width: 150, mergedAs: 'owner_email' },
    ],
    ['tags', 'Tags', 'list', list('tag')],
    ['linkedin_url', 'LinkedIn', 'url', text],
  ]),
  ...place,
  ...record,
]
