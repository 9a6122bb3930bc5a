import type { ColumnType, Schema } from '../schema.ts'
import { amount } from './amount.ts'
import { category, externalId, identifier } from './code.ts'
import { companyName } from './company-name.ts'
import { domain, email, linkedin, phone } from './contact-point.ts'
import { date } from './date.ts'
import type { FieldType } from './field-type.ts'
import { firstName, lastName } from './person-name.ts'
import { city, country, postcode } from './place.ts'
import { text } from './words.ts'

/** Column types that become one field with the column's name. */
const oneColumnFields = {
  first_name: firstName,
  last_name: lastName,
  date,
  identifier,
  city,
  postcode,
  text,
  category,
  email,
  phone,
  company_name: companyName,
  domain,
  linkedin,
  url: domain,
  country,
  amount,
  external_id: externalId,
} as const satisfies Partial<Record<ColumnType, FieldType>>

export type FieldKind = keyof typeof oneColumnFields

export type ComparedField = {
  name: string
  column: string
  kind: FieldKind
  type: FieldType
  part: 'first' | 'last' | null
}

/**
 * The fields in the order of the columns. A full name becomes a first and a last name, unless the schema has columns
 * for both.
 */
export function fieldsOf(schema: Schema): ComparedField[] {
  const hasNames = schema.some(({ type }) => type === 'first_name' || type === 'last_name')
  return schema.flatMap(({ name, type }): ComparedField[] => {
    if (type === 'row_id' || type === 'ignore') return []
    if (type !== 'full_name')
      return [{ name, column: name, kind: type, type: oneColumnFields[type], part: null }]
    if (hasNames) return []
    return [
      { name: `${name}: first`, column: name, kind: 'first_name', type: firstName, part: 'first' },
      { name: `${name}: last`, column: name, kind: 'last_name', type: lastName, part: 'last' },
    ]
  })
}
