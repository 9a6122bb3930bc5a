import { DomainError } from '../platform/domain-error.ts'
import type { Detail, ValidationError } from '../platform/http/validation.ts'
import { type Column, type ColumnField, shownHeader } from './columns.ts'

/** The maximum number of reasons for a row. The refused rows of a lot are in memory together. */
const reasonsMax = 10

/** For each field, the other fields whose columns also give its value. */
const sameValues: Readonly<Record<string, readonly string[]>> = {
  email: ['emails'],
  emails: ['email'],
  phone: ['phones'],
  phones: ['phone'],
  domain: ['domains', 'company_domain'],
  domains: ['domain'],
  first_name: ['full_name'],
  last_name: ['full_name'],
}

/**
 * Says why a row is refused, in sentences for the person who has the file. They name the columns of the file, and not
 * the fields of the API.
 */
export function reasonOf(error: DomainError | ValidationError, columns: readonly Column[]): string {
  if (error instanceof DomainError) return reasonOfRecord(error, columns)
  const hasNoKey = error.code === 'match_key_missing'
  if (error.code === 'identity_missing') return noIdentity(error.details)
  return error.details
    .slice(0, reasonsMax)
    .map((detail) => (hasNoKey ? noKey(detail, columns) : reasonOfValue(detail, columns)))
    .join('. ')
}

/** The reason of a row that names no record. */
const noIdentity = (details: readonly Detail[]): string =>
  details
    .map(({ msg }) =>
      msg
        .replace('at least one of first_name, last_name, email,', 'a name, an e-mail address,')
        .replace('at least one of name, domain,', 'a name, a domain,')
        .replace('phone and external_ids', 'a phone number or an id in another system'),
    )
    .join('. ')

function reasonOfValue(detail: Detail, columns: readonly Column[]): string {
  const field = fieldOf(detail)
  const header = headerOf(field, columns)
  const isConsent = field.startsWith('consent_') && detail.type === 'literal_error'
  const words = `${wordsOf(detail)}${isConsent ? ', or yes or no' : ''}`
  if (header !== null) return `Column "${header}": ${words}`
  return field === '' ? words : `${field}: ${words}`
}

/** The field of a detail: `emails` of `emails.0`, and `consent_email` of `consent.email`. */
function fieldOf({ loc }: Detail): string {
  const [, name = '', member] = loc
  if (member === undefined) return String(name)
  if (name === 'consent') return `consent_${member}`
  return name === 'custom' || name === 'external_ids' ? `${name}.${member}` : String(name)
}

/** The header of the column that gives a field its value; null: no column does. */
function headerOf(field: string, columns: readonly Column[]): string | null {
  const column =
    [field, ...(sameValues[field] ?? [])]
      .map((name) => columns.find((each) => nameOf(each.field) === name))
      .find((found) => found !== undefined) ??
    // A value that does not fit its field is in `custom`, under the header of its column.
    columns.find(({ header }) => field === `custom.${header}`)
  return column ? shownHeader(column.header) : null
}

function nameOf(field: ColumnField): string | null {
  if (field === null || typeof field === 'string') return field
  return 'custom' in field ? `custom.${field.custom}` : `external_ids.${field.external_id}`
}

/** What is wrong with a value. The error texts of requests do not fit here, because they are about JSON. */
function wordsOf({ type, msg, ctx = {} }: Detail): string {
  switch (type) {
    case 'literal_error':
      return `the value must be ${String(ctx.expected).replaceAll("'", '')}`
    case 'string_too_long':
      return `the text has more than ${ctx.max_length} characters`
    case 'too_long':
      return ctx.field_type === 'List' ? `there are more than ${ctx.max_length} values` : msg
    case 'uuid_parsing':
      return 'the value is not an id'
    case 'float_parsing':
      return 'the value is not a number'
    case 'int_parsing':
      return 'the value is not a whole number'
    case 'bool_parsing':
      return 'the value must be true or false'
    default:
      return msg.replace(/^Input should be /, 'the value must be ')
  }
}

/** The reason of a row without the value by which the import finds the record. */
function noKey({ loc, msg }: Detail, columns: readonly Column[]): string {
  const field = loc[1] === 'match_on' ? (/^match_on is (\S+),/.exec(msg)?.[1] ?? '') : String(loc[1])
  const header = headerOf(field, columns)
  const gap = header === null ? `No column has the field ${field}` : `Column "${header}": ${emptiness(field)}`
  return `${gap}, but the import finds existing records by it`
}

/** An unreadable address or number goes to another field, and does not remain in this one. */
const emptiness = (field: string) =>
  field === 'email' || field === 'phone' ? 'the cell is empty or unreadable' : 'the cell is empty'

/** The reason of a row that the stored records refuse. */
function reasonOfRecord({ code, message }: DomainError, columns: readonly Column[]): string {
  const column = (field: string) => {
    const header = headerOf(field, columns)
    return header === null ? field : `column "${header}"`
  }
  if (code === 'reference_not_found')
    return message.replace(/^\w+(?=:)/, (field) => column(field).replace(/^c/, 'C'))
  if (code === 'ambiguous_match')
    return message
      .replace(/match on (\S+?)(?=[:,])/, (_, field) => `match ${column(field)}`)
      .replace('. Update one', '. Merge them, or update one')
  if (code === 'value_taken')
    return message
      .replace(/(?:its|this) (custom\.\S+)/, (_, field) => `this value of ${column(field)}`)
      .replace('item of this request', 'row of this file')
      .replace('send another value', 'correct the row')
      .replace('Send another value', 'Correct the row')
  return message
}
