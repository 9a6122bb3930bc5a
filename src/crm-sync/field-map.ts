import { contactFields } from '../contacts/fields.ts'
import { refuse } from '../platform/http/fields.ts'
import { type Detail, detailAt, ValidationError } from '../platform/http/validation.ts'
import type { DefinedFieldType } from '../records/defined-fields/definition.ts'
import type { RecordField } from '../records/record-type.ts'
import type { CrmField, CrmKind, CrmValues } from './adapters/adapter.ts'
import type { MemberTypes } from './defined-members.ts'
import type { ProviderName } from './providers.ts'

/** The values of a person, by the names of `pushedFields` and the fields below. */
export type PersonValues = {
  contact_id: string
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  tags: readonly string[]
  custom: Readonly<Record<string, unknown>>
} & Readonly<Record<string, unknown>>

const pushable: ReadonlySet<unknown> = new Set(['text', 'integer', 'boolean'])

/** The fields of contacts that a push can send without conversion. */
export const pushedFields: readonly string[] = Object.entries<RecordField>(contactFields)
  .filter(([, { input, columns }]) => input && pushable.has(columns))
  .map(([name]) => name)

/** The Crosswalk fields that a field map can name, besides `custom.<name>`. */
export const crosswalkFieldNames: ReadonlySet<string> = new Set([
  ...['contact_id', 'full_name', ...pushedFields, 'tags'],
])

export type FieldMap = Readonly<Record<string, string | null>>

const salesforce = {
  ...{ first_name: 'FirstName', last_name: 'LastName', email: 'Email', phone: 'Phone', job_title: 'Title' },
}
const espocrm = {
  ...{ first_name: 'firstName', last_name: 'lastName', email: 'emailAddress', phone: 'phoneNumber' },
  ...{ city: 'addressCity', region: 'addressState', country: 'addressCountry' },
}
const hubspotContact = {
  ...{
    first_name: 'firstname',
    last_name: 'lastname',
    email: 'email',
    phone: 'phone',
    company_name: 'company',
  },
  ...{ job_title: 'jobtitle', city: 'city', region: 'state', country: 'country' },
}
const sandbox = {
  ...{
    first_name: 'first_name',
    last_name: 'last_name',
    email: 'email',
    phone: 'phone',
    job_title: 'job_title',
  },
  ...{ company_name: 'company', city: 'city', region: 'region', country: 'country', source: 'source' },
  ...{ linkedin_url: 'linkedin_url', lifecycle_stage: 'lifecycle_stage' },
}

/** The default CRM field for each Crosswalk field. The field_map of a connection can change it. */
export const defaultFields: Readonly<Record<ProviderName, Readonly<Record<CrmKind, FieldMap>>>> = {
  sandbox: { lead: sandbox, contact: sandbox },
  salesforce: {
    lead: {
      ...salesforce,
      ...{ company_name: 'Company', city: 'City', region: 'State', country: 'Country' },
    },
    contact: {
      ...salesforce,
      ...{ city: 'MailingCity', region: 'MailingState', country: 'MailingCountry' },
    },
  },
  hubspot: {
    // In HubSpot, a lead has a name and a contact. `lead.` marks a field of the lead itself.
    lead: { ...hubspotContact, full_name: 'lead.hs_lead_name' },
    contact: hubspotContact,
  },
  espocrm: {
    lead: { ...espocrm, company_name: 'accountName', job_title: 'title' },
    contact: { ...espocrm },
  },
}

/** Salesforce itself uses this text for a required field without a value. */
export const notProvided = '[not provided]'
const fallbacks: Readonly<Record<string, (person: PersonValues) => string>> = {
  last_name: (person) => person.first_name ?? localPart(person) ?? person.phone ?? notProvided,
  company_name: () => notProvided,
}
const alwaysSent: Readonly<Record<ProviderName, Readonly<Record<CrmKind, readonly string[]>>>> = {
  sandbox: { lead: ['last_name'], contact: ['last_name'] },
  salesforce: { lead: ['last_name', 'company_name'], contact: ['last_name'] },
  hubspot: { lead: [], contact: [] },
  espocrm: { lead: ['last_name'], contact: ['last_name'] },
}

/** Returns the CRM's field for each Crosswalk field: the defaults of the kind, changed by the connection's map. */
export function fieldMapOf(provider: ProviderName, kind: CrmKind, own: FieldMap): Record<string, string> {
  const map = Object.entries({ ...defaultFields[provider][kind], ...own })
  return Object.fromEntries(map.filter((entry): entry is [string, string] => entry[1] !== null))
}

/**
 * Refuses a map that sends two Crosswalk fields to one CRM field: an empty field would clear the value of the other
 * field.
 * @throws ValidationError that names both
 */
export function checkFieldMap(provider: ProviderName, own: FieldMap): void {
  const problems = new Map<string, Detail>()
  for (const kind of ['lead', 'contact'] as const) {
    const map = Object.entries(fieldMapOf(provider, kind, own))
    // Add the defaults first, so that the error names a field of the connection's own map.
    const taken = new Map(
      map.filter(([ours]) => !Object.hasOwn(own, ours)).map(([ours, theirs]) => [theirs, ours]),
    )
    for (const [ours, theirs] of map.filter(([ours]) => Object.hasOwn(own, ours))) {
      const other = taken.get(theirs)
      taken.set(theirs, other ?? ours)
      if (other === undefined || problems.has(ours)) continue
      const problem = refuse(
        `${other} also goes to the CRM field ${theirs}: set "${other}": null, or choose another field`,
      )
      problems.set(ours, detailAt(['body', 'field_map', ours], problem))
    }
  }
  if (problems.size > 0) throw new ValidationError([...problems.values()])
}

/** The types of defined fields whose values each kind of CRM field accepts. */
const acceptedTypes: Readonly<Record<CrmValues, { words: string; from: readonly DefinedFieldType[] }>> = {
  number: { words: 'numbers', from: ['number'] },
  boolean: { words: 'true or false', from: ['boolean'] },
  date: { words: 'dates', from: ['date', 'datetime'] },
  datetime: { words: 'times', from: ['date', 'datetime'] },
}

/**
 * Why the CRM would refuse or ignore fields of the map; empty if it accepts all.
 * @param types the types of the defined members of `custom`
 */
export function fieldMapProblems(
  fields: readonly CrmField[],
  map: Readonly<Record<string, string>>,
  types: MemberTypes,
): string[] {
  const known = new Map(fields.map((field) => [field.name, field]))
  return Object.entries(map).flatMap(([ours, theirs]) => {
    const field = known.get(theirs)
    if (field?.writable) return typeProblems(field, ours, types.get(ours))
    const why = field ? 'may not be written by the user of this connection' : 'is not there'
    return [
      `The CRM field ${theirs}, where ${ours} goes, ${why}: name another field of the CRM, or set "${ours}": null in field_map.`,
    ]
  })
}

function typeProblems(
  { name, values }: CrmField,
  ours: string,
  type: DefinedFieldType | undefined,
): string[] {
  if (values === undefined || type === undefined || acceptedTypes[values].from.includes(type)) return []
  const { words, from } = acceptedTypes[values]
  return [
    `The CRM field ${name} takes ${words}, and ${ours} is defined as ${type}: define ${ours} as ${from[0]}, or set "${ours}": null in field_map.`,
  ]
}

/** Converts a person to values by CRM field. An empty field becomes null, which clears it in the CRM. */
export function mapPerson(
  provider: ProviderName,
  kind: CrmKind,
  map: Readonly<Record<string, string>>,
  person: PersonValues,
): Record<string, unknown> {
  const values = Object.entries(map).map(([ours, theirs]) => {
    const value = fieldOf(person, ours)
    const isRequired = alwaysSent[provider][kind].includes(ours)
    return [theirs, value === null && isRequired ? fallbacks[ours]?.(person) : value]
  })
  return Object.fromEntries(values)
}

function fieldOf(person: PersonValues, field: string): unknown {
  if (field.startsWith('custom.')) {
    const name = field.slice('custom.'.length)
    return Object.hasOwn(person.custom, name) ? toPlainValue(person.custom[name]) : null
  }
  if (field === 'full_name') return fullName(person)
  if (field === 'tags') return person.tags.length > 0 ? person.tags.join(';') : null
  return person[field] ?? null
}

function toPlainValue(value: unknown): unknown {
  if (value === undefined || value === null) return null
  return typeof value === 'object' ? JSON.stringify(value) : value
}

function fullName(person: PersonValues): string {
  const names = [person.first_name, person.last_name].filter(Boolean)
  return names.length > 0 ? names.join(' ') : (person.email ?? person.phone ?? notProvided)
}

const localPart = ({ email }: PersonValues): string | null => email?.slice(0, email.lastIndexOf('@')) ?? null
