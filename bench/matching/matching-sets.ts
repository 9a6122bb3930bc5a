import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Column, ColumnType } from '../../src/matching/schema.ts'
import { makeCompanies, makeContacts } from './crm-records.ts'

export type Row = Record<string, string | string[]>

/** Records with known duplicates: rows with the same `truth` are one person or company. */
export type LabeledSet = {
  name: string
  schema: Column[]
  rows: Row[]
  truth: string[]
  /** The minimum F1 that the documentation promises; null if none. */
  bar: number | null
  autoBar: number | null
}

type Types = Record<string, ColumnType>

const febrl: Types = {
  given_name: 'first_name',
  surname: 'last_name',
  street_number: 'category',
  address_1: 'text',
  address_2: 'text',
  suburb: 'city',
  postcode: 'postcode',
  state: 'category',
  date_of_birth: 'date',
  soc_sec_id: 'identifier',
}
const fake: Types = {
  first_name: 'first_name',
  surname: 'last_name',
  dob: 'date',
  city: 'city',
  email: 'email',
}
const contact: Types = {
  first_name: 'first_name',
  last_name: 'last_name',
  email: 'email',
  phone: 'phone',
  linkedin_url: 'linkedin',
  company_name: 'company_name',
  city: 'city',
  country: 'country',
}
const company: Types = {
  name: 'company_name',
  domain: 'domain',
  phone: 'phone',
  linkedin_url: 'linkedin',
  city: 'city',
  country: 'country',
}

/** `rec-7-org` and `rec-7-dup-2` are one person. The matcher does not see the id. */
const febrlEntity = (row: Row): string => String(row.rec_id).split('-')[1]!

function read(folder: string, ...names: string[]): Row[] {
  return names.flatMap(
    (name) => parse(readFileSync(join(folder, name)), { columns: true, trim: true, bom: true }) as Row[],
  )
}

function set(
  name: string,
  types: Types,
  rows: Row[],
  truthOf: (row: Row) => string,
  bars: { bar?: number; autoBar?: number } = {},
): LabeledSet {
  const schema = Object.entries(types).map(([column, type]) => ({ name: column, type }))
  return {
    name,
    schema,
    rows,
    truth: rows.map(truthOf),
    bar: bars.bar ?? null,
    autoBar: bars.autoBar ?? null,
  }
}

const withoutColumns = (types: Types, ...left: string[]): Types =>
  Object.fromEntries(Object.entries(types).filter(([column]) => !left.includes(column)))

/** The public sets in a folder, complete and with columns left out. */
export function publicSets(folder: string): LabeledSet[] {
  const has = (name: string) => existsSync(join(folder, name))
  const sets: LabeledSet[] = []
  if (has('febrl3.csv')) {
    const rows = read(folder, 'febrl3.csv')
    sets.push(
      set('febrl3', febrl, rows, febrlEntity, { bar: 0.998, autoBar: 0.5 }),
      set('febrl3, no soc_sec_id', withoutColumns(febrl, 'soc_sec_id'), rows, febrlEntity),
      set(
        'febrl3, nor date_of_birth',
        withoutColumns(febrl, 'soc_sec_id', 'date_of_birth'),
        rows,
        febrlEntity,
      ),
      set(
        'febrl3, names, suburb, date',
        { given_name: 'first_name', surname: 'last_name', suburb: 'city', date_of_birth: 'date' },
        rows,
        febrlEntity,
      ),
      set('febrl3, other column names', renamed(febrl), rows.map(renamedRow), febrlEntity, { bar: 0.998 }),
    )
  }
  if (has('febrl4a.csv') && has('febrl4b.csv')) {
    const rows = read(folder, 'febrl4a.csv', 'febrl4b.csv')
    sets.push(
      set('febrl4, a and b', febrl, rows, febrlEntity, { bar: 0.999 }),
      set('febrl4, no soc_sec_id', withoutColumns(febrl, 'soc_sec_id'), rows, febrlEntity),
    )
  }
  if (has('fake_1000.csv')) {
    const rows = read(folder, 'fake_1000.csv')
    sets.push(set('fake_1000', fake, rows, (row) => String(row.cluster), { bar: 0.94, autoBar: 0.3 }))
  }
  return sets
}

const renamed = (types: Types): Types =>
  Object.fromEntries(Object.values(types).map((type, index) => [`column ${index}`, type]))

function renamedRow(row: Row): Row {
  const cells = Object.keys(febrl).map((column, index): [string, string | string[]] => [
    `column ${index}`,
    row[column]!,
  ])
  return { rec_id: row.rec_id!, ...Object.fromEntries(cells) }
}

export function madeUpSets(entities: number): LabeledSet[] {
  const contacts = makeContacts(entities, 7)
  const companies = makeCompanies(entities, 8)
  const size = entities.toLocaleString('en')
  return [
    { ...set(`${size} made-up people`, contact, rowsOf(contacts), () => ''), truth: truthOf(contacts) },
    { ...set(`${size} made-up companies`, company, rowsOf(companies), () => ''), truth: truthOf(companies) },
  ]
}

const rowsOf = (made: ReturnType<typeof makeContacts>): Row[] => made.map(({ record }) => record)
const truthOf = (made: ReturnType<typeof makeContacts>): string[] => made.map(({ entity }) => String(entity))
