import { fromCell } from '../csv/cell.ts'
import { domainOfWebsite } from '../normalize/website.ts'
import { splitAddresses } from './addresses.ts'
import type { Column } from './columns.ts'
import {
  addConsentDetails,
  type ConsentDetail,
  type ConsentDetails,
  isConsentDetail,
} from './consent-details.ts'
import { listIn, objectIn } from './json-cells.ts'

/** The fields of a contact or company in the shape of the API. Fields without a value are missing. */
export type RowFields = Record<string, string | number | string[] | Record<string, unknown> | ConsentDetails>

const stages: Record<string, string> = {
  subscriber: 'subscriber',
  lead: 'lead',
  prospect: 'lead',
  qualified: 'qualified',
  marketingqualifiedlead: 'qualified',
  salesqualifiedlead: 'qualified',
  mql: 'qualified',
  sql: 'qualified',
  opportunity: 'opportunity',
  customer: 'customer',
  client: 'customer',
  evangelist: 'customer',
  other: 'other',
}
const granted = new Set(
  ['granted', 'yes', 'y', 'true', '1', 'opted in', 'opt-in', 'subscribed'].concat(
    'ja oui sí si sì'.split(' '),
  ),
)
const denied = new Set(
  ['denied', 'no', 'n', 'false', '0', 'opted out', 'opt-out', 'unsubscribed'].concat(
    'nein non nee'.split(' '),
  ),
)
// Read at most 51 values. A row with more than 50 is refused, so further values do not matter.
const [valuesMax, tagsMax] = [50, 100]
/** How many characters of the lists of a row are split. 50 long addresses have 13,000. */
const listsLengthMax = 32 * 1024
const phonesLengthMax = 2_000
/** No word of consent is longer. To normalize a long text takes quadratic time. */
const consentLengthMax = 100
// Words that belong to the family name after them.
const particles = new Set(
  'van von der den de del della di da do dos das du la le al el bin ibn ben bint abu ter ten zu zur af av'.split(
    ' ',
  ),
)

/**
 * Turns a row into fields. If a field cannot store a value, such as an unknown stage or "51-200" employees, the value
 * goes to `custom`.
 */
export function rowToFields(columns: Column[], cells: string[]): RowFields {
  const fields: RowFields = {}
  const custom: Record<string, string> = {}
  let fullName: { header: string; value: string } | null = null
  let hasCustom = false
  const details: ConsentDetail[] = []
  let left = listsLengthMax
  /** Splits a cell with several values. Each character takes time, and a row can have 1 MiB: the rest is one value. */
  const split: Split = (value, into) => {
    const [start, rest] = [value.slice(0, left), value.slice(left)]
    left -= start.length
    return rest === '' ? (listIn(value) ?? into(value)) : [...into(start), rest]
  }
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index]
    const value = fromCell(cells[index]?.trim() ?? '')
    if (column === undefined || column.field === null || value === '') continue
    const { field, header } = column
    if (typeof field === 'object') {
      if ('custom' in field) {
        custom[field.custom] = value
        hasCustom = true
      } else setMember(fields, 'external_ids', field.external_id, value)
    } else if (field === 'full_name') fullName = { header, value }
    else if (isConsentDetail(field)) details.push({ field, header, value })
    else if (!setField(fields, field, value, split)) {
      custom[header] = value
      hasCustom = true
    }
  }
  if (fullName !== null && !setNames(fields, fullName.value)) {
    custom[fullName.header] = fullName.value
    hasCustom = true
  }
  for (const { header, value } of addConsentDetails(fields, details)) {
    custom[header] = value
    hasCustom = true
  }
  // A cell of its own wins over a member in the JSON of a cell `custom`, so that an edited export changes the value.
  if (hasCustom) fields.custom = { ...(fields.custom as object | undefined), ...custom }
  return fields
}

type Split = (value: string, into: (value: string) => string[]) => string[]

/** Returns false if the field cannot store the value. */
function setField(fields: RowFields, field: string, value: string, split: Split): boolean {
  switch (field) {
    case 'email':
    case 'emails':
      addAll(fields, 'email', 'emails', split(value, splitAddresses))
      return true
    case 'phone':
    case 'phones':
      addAll(fields, 'phone', 'phones', split(value, splitPhones))
      return true
    case 'domain':
    case 'domains':
      addAll(
        fields,
        'domain',
        'domains',
        split(value, (text) => text.split(/[\s;,|]+/)),
      )
      return true
    case 'company_domain':
      return setCompanyDomain(fields, value)
    case 'tags':
      addTags(
        fields,
        split(value, (text) => text.split(/[;,]/)),
      )
      return true
    case 'lifecycle_stage':
      return setStage(fields, value)
    case 'employee_count':
      return setCount(fields, value)
    case 'custom':
      return setMembers(fields, field, objectIn(value))
    case 'external_ids': {
      const ids = objectIn(value)
      return setMembers(fields, field, Object.values(ids ?? {}).every(isText) ? ids : null)
    }
    case 'consent_email':
    case 'consent_phone':
      setMember(fields, 'consent', field.slice('consent_'.length), readConsent(value))
      return true
    default:
      fields[field] = value
      return true
  }
}

function splitPhones(value: string): string[] {
  if (value.length > phonesLengthMax) return [value]
  // Without this, many blanks would make the patterns below take quadratic time.
  const phones = value.replace(/\s+/g, ' ').split(/ ?(?:;(?!ext=)|\|) ?/i)
  // "030 / 23125 000" is one number. "+49 30 23125000 / +49 171 3920000" are two numbers.
  return phones.flatMap((phone) => {
    const parts = phone.split(' / ')
    return parts.every((part) => part.replace(/\D/g, '').length >= 7) ? parts : [phone]
  })
}

function addAll(fields: RowFields, one: string, all: string, values: string[]): void {
  for (const value of values) {
    if (value === '') continue
    const first = fields[one]
    const list = fields[all]
    if (typeof first !== 'string') fields[one] = value
    else if (!Array.isArray(list)) {
      if (value !== first) fields[all] = [first, value]
    } else if (list.length > valuesMax) return
    else if (!list.includes(value)) list.push(value)
  }
}

function addTags(fields: RowFields, values: readonly string[]): void {
  const before = Array.isArray(fields.tags) ? fields.tags : []
  // The row is refused, so further tags do not matter.
  if (before.length > tagsMax) return
  const tags = values.map((tag) => tag.trim()).filter((tag) => tag !== '')
  if (tags.length > 0) fields.tags = [...new Set([...before, ...tags])]
}

function setMember(fields: RowFields, field: string, key: string, value: string): void {
  const members = fields[field]
  if (typeof members === 'object' && !Array.isArray(members)) members[key] = value
  else fields[field] = { [key]: value }
}

const isText = (value: unknown) => typeof value === 'string'

/** Sets an object field. Returns false if there are no members. */
function setMembers(fields: RowFields, field: string, members: Record<string, unknown> | null): boolean {
  if (members !== null) fields[field] = { ...members, ...(fields[field] as object | undefined) }
  return members !== null
}

/** Sets the domain from a web address. Returns false if many companies share the host. */
function setCompanyDomain(fields: RowFields, value: string): boolean {
  const domain = domainOfWebsite(value)
  if (domain === null) return false
  fields.company_domain = domain
  return true
}

function setStage(fields: RowFields, value: string): boolean {
  const key = value.toLowerCase().replace(/[^a-z]/g, '')
  const stage = Object.hasOwn(stages, key) ? stages[key] : undefined
  if (stage === undefined) return false
  fields.lifecycle_stage = stage
  return true
}

function setCount(fields: RowFields, value: string): boolean {
  if (!/^\d{1,3}(?:[,. '\u00a0\u202f]\d{3})*$|^\d{1,9}$/.test(value)) return false
  const count = Number(value.replace(/\D/g, ''))
  if (count > 2_147_483_647) return false
  fields.employee_count = count
  return true
}

/** Keeps an unknown word (in lower case), so that the row is refused: consent must not be guessed. */
function readConsent(value: string): string {
  if (value.length > consentLengthMax) return value
  const word = value.normalize('NFC').toLowerCase()
  if (granted.has(word)) return 'granted'
  return denied.has(word) ? 'denied' : word
}

/** Sets the first and last name from a full name. Returns false if the row has other names. */
function setNames(fields: RowFields, fullName: string): boolean {
  const { first_name: first, last_name: last } = fields
  if (first !== undefined || last !== undefined) {
    const known = [first, last].filter((name) => name !== undefined).join(' ')
    return known.toLowerCase() === fullName.toLowerCase().replace(/\s+/g, ' ')
  }
  const [firstName, lastName] = splitName(fullName)
  if (firstName !== '') fields.first_name = firstName
  if (lastName !== '') fields.last_name = lastName
  return true
}

/** Splits `Ludwig van Beethoven` and `Beethoven, Ludwig` into first and last name. A single word is a first name. */
function splitName(fullName: string): [string, string] {
  const [family, given, ...more] = fullName.split(',').map((part) => part.trim())
  if (family !== undefined && given !== undefined && more.length === 0 && given !== '') return [given, family]
  const words = fullName.split(/\s+/)
  let last = Math.max(1, words.length - 1)
  while (last > 1 && particles.has((words[last - 1] ?? '').toLowerCase())) last -= 1
  return [words.slice(0, last).join(' '), words.slice(last).join(' ')]
}
