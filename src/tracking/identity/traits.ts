import { contacts } from '../../contacts/contacts.ts'
import { membersOf } from '../../platform/members.ts'
import type { Fields } from '../../records/record-type.ts'

type Traits = Readonly<Record<string, unknown>>

/** The traits of each contact field, as clients name them, the first that is set. Source: Segment, Spec: Identify. */
const names: Readonly<Record<string, readonly string[]>> = {
  email: ['email'],
  first_name: ['firstName', 'first_name', 'firstname'],
  last_name: ['lastName', 'last_name', 'lastname'],
  phone: ['phone'],
  job_title: ['title', 'jobTitle', 'job_title', 'position'],
  company_name: ['company', 'company_name', 'companyName'],
  city: ['city'],
  region: ['region', 'state'],
  country: ['country'],
}

/** The contact fields that traits name. A value that the field does not accept is left out. */
export function contactFieldsOf(traits: unknown): Fields {
  const given = membersOf(traits)
  const all: Traits = { ...splitName(given), ...membersOf(given.address), ...given }
  const fields: Fields = {}
  for (const [field, named] of Object.entries(names)) {
    const value = named.map((name) => textOf(all[name])).find((text) => text !== null)
    const read = value === undefined ? null : contacts.input.shape[field]?.safeParse(value)
    if (read?.success) fields[field] = read.data
  }
  return fields
}

/** The company fields that the traits of a group name. */
export function companyFieldsOf(traits: unknown): Fields {
  const { name, website, industry } = membersOf(traits)
  return Object.fromEntries(
    Object.entries({ name, website, industry }).flatMap(([field, value]) => {
      const text = textOf(value)
      return text === null ? [] : [[field, text.slice(0, 200)]]
    }),
  )
}

/** A company is often an object with a name. */
function textOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : (membersOf(value).name ?? value)
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null
}

/** The last word of a full name is the family name. */
function splitName({ name }: Traits): Traits {
  const words = typeof name === 'string' ? name.trim().split(/\s+/) : []
  return words.length > 1 ? { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) } : {}
}
