import { companyFields } from '../companies/fields.ts'
import { contactFields } from '../contacts/fields.ts'
import type { RecordFields } from '../records/record-type.ts'

export type Entity = 'contact' | 'company'

/** Header names of columns whose target is not one field of the record: a full name, or the domain of the company. */
const sharedHeaders: Record<Entity, Record<string, string>> = {
  contact: {
    full_name:
      'name fullname contactname personname displayname contact person completename vollername nomcomplet',
    company_domain: 'companydomain companydomainname companywebsite companywebsiteurl companyurl',
  },
  company: {},
}

/** The header names of each field. A field without header names needs a mapping. */
const words = { contact: wordsOf('contact', contactFields), company: wordsOf('company', companyFields) }

function wordsOf(entity: Entity, fields: RecordFields): Record<string, string> {
  const own = Object.entries(fields).map(([name, { headers, input }]) => {
    if (typeof headers === 'object') return headers
    return input ? { [name]: headers ?? '' } : {}
  })
  return Object.assign({ ...sharedHeaders[entity] }, ...own)
}

const ids =
  'id recid recordid externalid extid uuid guid crmid customerid sourceid kundennummer kundennr klantnummer numeroclient'
const idWords = {
  contact: `${ids} contactid leadid personid userid memberid subscriberid contactexternalid`,
  company: `${ids} companyid accountid organizationid organisationid orgid companyexternalid`,
}
const vendorId =
  /^(?:hubspot|salesforce|sfdc|pipedrive|zoho|dynamics|mailchimp|intercom|stripe|marketo|activecampaign|apollo)(?:contact|lead|record|person|company|account|customer|object)*id$/

/** The fields that a mapping can name, besides `external_id:<source>`, `custom:<key>` and `ignore`. */
export const mappable: Record<Entity, string[]> = {
  contact: Object.keys(words.contact).sort(),
  company: Object.keys(words.company).sort(),
}

const fieldOf = { contact: invert(words.contact), company: invert(words.company) }
const idOf = { contact: new Set(idWords.contact.split(' ')), company: new Set(idWords.company.split(' ')) }

/** No common header is longer. To normalize a long text takes quadratic time. */
const headerMax = 120

/** The letters of a header in lower case, without accents: `E-Mail 1` becomes `email`. */
export const headerKey = (header: string): string =>
  header
    .slice(0, headerMax)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '')

/** Returns the common field of a header; null if unknown. `external_id` is the record's id in another system. */
export function commonField(header: string, entity: Entity): string | null {
  const key = headerKey(header)
  if (idOf[entity].has(key) || vendorId.test(key)) return 'external_id'
  return fieldOf[entity].get(key) ?? null
}

function invert(fields: Record<string, string>): Map<string, string> {
  return new Map(
    Object.entries(fields).flatMap(([field, words]) =>
      words ? words.split(' ').map((word) => [word, field] as const) : [],
    ),
  )
}
