import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuOf } from '../../test/support/cpu.ts'
import { mapColumns } from './columns.ts'
import { rowToFields } from './row-fields.ts'

const fieldsOf = (headers: string[], entity: 'contact' | 'company' = 'contact') =>
  mapColumns(headers, entity).columns.map((column) => column.field)

describe('a header is recognized by common names', () => {
  test.each([
    ['First Name', 'first_name'],
    ['given_name', 'first_name'],
    ['\ufeffVORNAME', 'first_name'],
    ['Prénom', 'first_name'],
    ['surname', 'last_name'],
    ['Name', 'full_name'],
    ['E-mail Address', 'email'],
    ['E-mail 2 - Value', 'email'],
    ['Mobile Phone', 'phone'],
    ['Company / Organisation', { custom: 'Company / Organisation' }],
    ['Organization Name', 'company_name'],
    ['Title', 'job_title'],
    ['suburb', 'city'],
    ['State/Region', 'region'],
    ['Country', 'country'],
    ['LinkedIn URL', 'linkedin_url'],
    ['Tags', 'tags'],
    ['Lifecycle Stage', 'lifecycle_stage'],
    ['Stage', 'lifecycle_stage'],
    ['rec_id', { external_id: 'rec_id' }],
    ['Salesforce Contact ID', { external_id: 'Salesforce Contact ID' }],
    ['date_of_birth', { custom: 'date_of_birth' }],
    ['soc_sec_id', { custom: 'soc_sec_id' }],
    ['Business Fax', { custom: 'Business Fax' }],
    ['Company ID', { custom: 'Company ID' }],
    ['', { custom: 'column 1' }],
    ['__proto__', { custom: 'column 1' }],
    ['constructor', { custom: 'constructor' }],
  ])('the field of a header in a file of contacts is recognized: %j', (header, field) => {
    expect(fieldsOf([header])).toEqual([field])
  })

  test.each([
    ['Company', 'name'],
    ['Name', 'name'],
    ['Company Domain Name', 'domain'],
    ['URL', 'website'],
    ['Number of Employees', 'employee_count'],
    ['Account ID', { external_id: 'Account ID' }],
    ['First Name', { custom: 'First Name' }],
  ])('the field of a header in a file of companies is recognized: %j', (header, field) => {
    expect(fieldsOf([header], 'company')).toEqual([field])
  })

  test('a second column with the same name goes to custom under another name', () => {
    expect(fieldsOf(['Notes', 'Notes', 'City', 'Town', 'City', 'Id', 'Id'])).toEqual([
      { custom: 'Notes' },
      { custom: 'Notes (2)' },
      'city',
      { custom: 'Town' },
      { custom: 'City (2)' },
      { external_id: 'Id' },
      { custom: 'Id (2)' },
    ])
  })
})

describe('a mapping', () => {
  test('a mapping sets the fields of the columns that it names; common names set the fields of the other columns', () => {
    const mapping = {
      given: 'first_name',
      ID: 'external_id:crm',
      Rank: 'custom:rank',
      Junk: 'ignore',
      ' mail ': 'email',
    }
    const { columns, problems } = mapColumns(
      ['Given', 'ID', 'Rank', 'Junk', 'Mail', 'City', 'First name', 'Phone'],
      'contact',
      mapping,
    )
    expect(problems).toEqual([])
    expect(columns.map((column) => column.field)).toEqual([
      'first_name',
      { external_id: 'crm' },
      { custom: 'rank' },
      null,
      'email',
      'city',
      { custom: 'First name' },
      'phone',
    ])
  })

  test('a mapping may map several columns to e-mail, but only one column to a field with a single value', () => {
    expect(mapColumns(['a', 'b'], 'contact', { a: 'email', b: 'email' }).problems).toEqual([])
    expect(mapColumns(['a', 'b'], 'contact', { a: 'ignore', b: 'ignore' }).problems).toEqual([])
    expect(mapColumns(['a', 'b'], 'contact', { a: 'city', b: 'city' }).problems).toEqual([
      expect.stringContaining('more than one column to "city": "a" and "b"'),
    ])
    expect(mapColumns(['a', 'a'], 'contact', { a: 'city' }).problems).toHaveLength(1)
  })

  test('a mapping can name columns with the same header by their position', () => {
    const headers = ['Phone', 'Phone', '', '#1']
    const mapping = { '#1': 'phone', '#2': 'custom:fax', '#3': 'city', 'phone ': 'ignore' }
    const { columns, problems } = mapColumns(headers, 'contact', mapping)
    expect(columns.slice(1)).toEqual([
      { header: 'Phone', field: { custom: 'fax' } },
      { header: 'column 3', field: 'city' },
      // A header has priority over a position: the column with the header `#1` is not the first.
      { header: '#1', field: 'phone' },
    ])
    expect(problems).toEqual([expect.stringContaining('"phone", which is not a column')])
    expect(mapColumns(['a', 'b'], 'contact', { '#2': 'city', b: 'email' }).problems).toEqual([
      expect.stringContaining('names column 2 twice'),
    ])
    expect(mapColumns(['a'], 'contact', { '#2': 'city', '#0': 'city' }).problems).toHaveLength(2)
  })

  test('a mapping that names an unknown column or field gets a problem that lists the known ones', () => {
    const { problems } = mapColumns(['a', 'b'], 'contact', { c: 'email', a: 'emial', b: 'external_id:' })
    expect(problems).toEqual([
      expect.stringContaining('"c", which is not a column of this file. Its columns are "a", "b".'),
      expect.stringMatching(/"a" to "emial", which is not a field\. The fields are .*\bemail\b.*ignore/),
      expect.stringContaining('"b" to "external_id:"'),
    ])
  })
})

describe('the fields of a row', () => {
  const fields = (row: Record<string, string>, entity: 'contact' | 'company' = 'contact') =>
    rowToFields(mapColumns(Object.keys(row), entity).columns, Object.values(row))

  test('the fields of a row are trimmed, and empty ones are left out', () => {
    expect(fields({ 'First Name': ' Ann ', 'Last Name': ' ', Note: '' })).toEqual({ first_name: 'Ann' })
    expect(rowToFields(mapColumns(['City', 'Note'], 'contact').columns, ['Rome'])).toEqual({ city: 'Rome' })
  })

  test('the fields of a row collect e-mails, phones and tags in column order', () => {
    const row = { Email: 'a@x.example; b@x.example', 'Work Email': 'c@x.example', 'E-mail': 'a@x.example' }
    expect(fields(row)).toEqual({
      email: 'a@x.example',
      emails: ['a@x.example', 'b@x.example', 'c@x.example'],
    })
    expect(fields({ Phone: '', Mobile: '030 / 23125 000' })).toEqual({ phone: '030 / 23125 000' })
    expect(fields({ Phone: '030 23125000 / 030 23125001; 030 23125002' })).toMatchObject({
      phones: ['030 23125000', '030 23125001', '030 23125002'],
    })
    expect(fields({ Phone: '(415) 555-0100;ext=5' })).toEqual({ phone: '(415) 555-0100;ext=5' })
    expect(fields({ Tags: 'a; b,a ,', Labels: 'c' })).toEqual({ tags: ['a', 'b', 'c'] })
  })

  test.each([
    ['Ludwig van Beethoven', { first_name: 'Ludwig', last_name: 'van Beethoven' }],
    ['Lee, Anna Mae', { first_name: 'Anna Mae', last_name: 'Lee' }],
    ['Anna Mae Lee', { first_name: 'Anna Mae', last_name: 'Lee' }],
    ['Cher', { first_name: 'Cher' }],
    ['van Dyke', { first_name: 'van', last_name: 'Dyke' }],
  ])('the name %j is split into first and last name', (name, names) => {
    expect(fields({ Name: name })).toEqual(names)
  })

  test('the fields of a row keep a full name in custom if the full name differs from the first and last name', () => {
    const row = { 'First Name': 'Anna', 'Last Name': 'Lee' }
    expect(fields({ ...row, Name: 'anna  lee' })).toEqual({ first_name: 'Anna', last_name: 'Lee' })
    expect(fields({ ...row, Name: 'Dr. Anna Lee' })).toMatchObject({ custom: { Name: 'Dr. Anna Lee' } })
  })

  test('the fields of a row keep a value in custom if its field cannot store it', () => {
    expect(fields({ 'Lifecycle Stage': 'Marketing Qualified Lead' })).toEqual({
      lifecycle_stage: 'qualified',
    })
    expect(fields({ 'Lifecycle Stage': 'Churned' })).toEqual({ custom: { 'Lifecycle Stage': 'Churned' } })
    expect(fields({ Employees: '1,200' }, 'company')).toEqual({ employee_count: 1200 })
    expect(fields({ Employees: '51-200' }, 'company')).toEqual({ custom: { Employees: '51-200' } })
  })

  test('the fields of a row contain an unknown word for consent unchanged, so that validation refuses the word', () => {
    expect(fields({ 'Email consent': 'Yes', 'Phone consent': 'opted out' })).toEqual({
      consent: { email: 'granted', phone: 'denied' },
    })
    expect(fields({ 'Email consent': 'perhaps' })).toEqual({ consent: { email: 'perhaps' } })
  })

  test('the fields of a row contain the details of a consent; details without a consent go to custom', () => {
    const row = {
      ...{ 'Phone consent': 'yes', 'Phone Consent Kind': 'Verbal', 'Phone Consent Source': 'Fair' },
      ...{ 'Phone Consent Date': '2026-08-02', 'Email Consent Source': 'Form' },
    }
    expect(fields(row)).toEqual({
      consent: { phone: 'granted' },
      consent_details: { phone: { kind: 'oral', source: 'Fair', at: 1_785_628_800 } },
      custom: { 'Email Consent Source': 'Form' },
    })
    expect(
      fields({ ...row, 'Phone Consent Kind': 'maybe', 'Phone Consent Date': '02/08/2026' }),
    ).toMatchObject({
      consent_details: { phone: { source: 'Fair' } },
      custom: { 'Phone Consent Kind': 'maybe', 'Phone Consent Date': '02/08/2026' },
    })
  })
})

test('each cell of a row appears in the fields or in custom, for any headers', () => {
  const header = fc.oneof(
    fc.string(),
    fc.constantFrom('Email', 'Name', 'City', 'Tags', 'Id', 'Notes', 'toString'),
  )
  fc.assert(
    fc.property(
      fc.array(header, { maxLength: 8 }),
      fc.constantFrom('contact', 'company'),
      (headers, entity) => {
        const cells = headers.map((_, index) => `cell${index}x`)
        const { columns, problems } = mapColumns(headers, entity)
        expect(problems).toEqual([])
        const kept = JSON.stringify(rowToFields(columns, cells))
        for (const cell of cells) expect(kept).toContain(cell)
      },
    ),
  )
})

test('long headers are cut in messages, and at most 20 problems of a mapping are listed', () => {
  const headers = Array.from({ length: 100 }, (_, at) => `${at} ${'x'.repeat(10_000)}`)
  const mapping = Object.fromEntries(headers.map((header) => [`no ${header}`, 'city']))
  const { problems } = mapColumns(headers, 'contact', mapping)
  expect(problems).toHaveLength(20)
  expect(problems.join('').length).toBeLessThan(200_000)
})

test('a thousand columns with the same header go to custom under a thousand names', () => {
  const { columns } = mapColumns(Array(1_000).fill('Score'), 'contact')
  expect(new Set(columns.map(({ field }) => JSON.stringify(field))).size).toBe(1_000)
  expect(columns.at(-1)?.field).toEqual({ custom: 'Score (1000)' })
})

describe('hostile input takes less than 0.5 s of CPU:', () => {
  const soon = (work: () => unknown) => expect(cpuOf(work, 500_000)).toBeLessThan(500_000)
  const { columns } = mapColumns(['phone', 'emails', 'tags'], 'contact')

  test('thousands of blanks in a phone number are read in less than 0.5 s of CPU', () => {
    soon(() => rowToFields(columns, [`1${' '.repeat(120_000)}1`]))
    soon(() => rowToFields(columns, [` / `.repeat(40_000)]))
  })

  test('thousands of addresses in one cell are read in less than 0.5 s of CPU, and 51 are kept', () => {
    const cell = Array.from({ length: 20_000 }, (_, index) => `a${index}@x.example`).join(';')
    soon(() => {
      const { emails } = rowToFields(columns, ['', cell])
      expect(emails).toHaveLength(51)
    })
  })

  /** Marks of two classes, which normalization sorts in quadratic time. */
  const marks = (count: number) => `a${'\u0301\u0323'.repeat(count / 2)}`

  test('a long header, or word of consent, of accents is read in less than 0.5 s of CPU', () => {
    soon(() => mapColumns([marks(60_000), 'Mail'], 'contact', { [marks(60_000)]: 'city' }))
    soon(() => rowToFields([{ header: 'OK', field: 'consent_email' }], [marks(60_000)]))
  })

  test('a thousand long equal headers are read in less than 0.5 s of CPU', () => {
    soon(() => mapColumns(Array(1_000).fill('x'.repeat(1_000)), 'contact'))
  })

  test('a row of 1 MiB whose columns all have lists is read in less than 0.5 s of CPU', () => {
    const lists = {
      tags: (at: number) => Array.from({ length: 250 }, (_, tag) => at * 250 + tag).join(';'),
      emails: () => 'a;'.repeat(500),
      phones: () => `1${' '.repeat(1_000)}1`,
    }
    for (const [field, cell] of Object.entries(lists))
      soon(() =>
        rowToFields(
          Array.from({ length: 1_000 }, (_, at) => ({ header: `${field} ${at}`, field })),
          Array.from({ length: 1_000 }, (_, at) => cell(at)),
        ),
      )
  })

  test('a long mapping of unknown names for 1,000 columns is read in less than 0.5 s of CPU', () => {
    const headers = Array.from({ length: 1_000 }, (_, index) => `${'İé'.repeat(120)} ${index}`)
    const mapping = Object.fromEntries(
      headers.map((header, index) => [`${header.slice(0, 190)} q${index}`, 'city']),
    )
    soon(() => mapColumns(headers, 'contact', mapping))
  })
})
