import { randomUUID } from 'node:crypto'
import type { StubAnswer } from './server.ts'

export type Values = Record<string, string>
export type Property = {
  name: string
  type: string
  hasUniqueValue?: boolean
  options?: string[]
  readOnly?: boolean
}
type Association = {
  to: { id: string }
  types: { associationCategory: string; associationTypeId: number }[]
}
export type Input = {
  id?: string
  idProperty?: string
  objectWriteTraceId?: string
  properties: Values
  associations?: Association[]
}
export type StoredObject = {
  id: string
  createdAt: string
  updatedAt: string
  properties: Values
  associations: Association[]
}
export type Fault = { category: string; message: string; context?: Record<string, string[]> }

export const objectIds = { contacts: '0-1', leads: '0-136' }
export type ObjectName = keyof typeof objectIds

/** An error answer in HubSpot's format: `{status: 'error', category, message, correlationId, …}`. */
export const hubspotError = (
  status: number,
  category: string,
  message: string,
  more: Record<string, unknown> = {},
): StubAnswer => ({
  status,
  body: { status: 'error', message, correlationId: randomUUID(), category, ...more },
})

export const tooMany = (policyName: string): StubAnswer =>
  hubspotError(429, 'RATE_LIMITS', `You have reached your ${policyName.toLowerCase()} limit.`, {
    ...{ errorType: 'RATE_LIMIT', policyName },
  })
export const unauthorized = (): StubAnswer =>
  hubspotError(
    401,
    'INVALID_AUTHENTICATION',
    'Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview',
  )
export const missingScopes = (...scopes: string[]): StubAnswer =>
  hubspotError(
    403,
    'MISSING_SCOPES',
    "This app hasn't been granted all required scopes to make this call. Read more about required scopes here: https://developers.hubspot.com/scopes.",
    {
      errors: [
        {
          message: 'One or more of the following scopes are required.',
          context: { requiredGranularScopes: scopes },
        },
      ],
      links: { scopes: 'https://developers.hubspot.com/scopes' },
    },
  )
const invalid = (message: string, error: string, name: string): Fault => ({
  category: 'VALIDATION_ERROR',
  message: `Property values were not valid: ${JSON.stringify([
    { isValid: false, message, error, name, localizedErrorMessage: message, portalId: 891936587 },
  ])}`,
})

/** A HubSpot account with the token of one private app. */
export class HubSpotPortal {
  token = `pat-na1-${randomUUID()}`
  hasLeads = true
  readonly scopes = new Set([
    ...['crm.objects.contacts.read', 'crm.objects.contacts.write'],
    ...['crm.objects.leads.read', 'crm.objects.leads.write'],
  ])
  /** Whether answers to writes contain the trace id. In the vendor's example they do not. */
  echoesTraceIds = false
  /** Properties that a workflow empties after each write. */
  readonly clears = new Set<string>()
  readonly properties: Record<ObjectName, Property[]>
  readonly records: Record<ObjectName, Map<string, StoredObject>> = { contacts: new Map(), leads: new Map() }
  readonly asked: number[] = []
  #made = 17_159_100_000

  constructor(keyField = 'crosswalk_id') {
    const texts = (...names: string[]): Property[] => names.map((name) => ({ name, type: 'string' }))
    const key: Property = { name: keyField, type: 'string', hasUniqueValue: true }
    this.properties = {
      contacts: [
        ...texts('firstname', 'lastname', 'phone', 'company', 'jobtitle', 'city', 'state', 'country', 'plan'),
        { name: 'email', type: 'string' },
        { name: 'lifecyclestage', type: 'enumeration', options: ['subscriber', 'lead', 'customer'] },
        { name: 'hs_object_id', type: 'number', readOnly: true },
        key,
      ],
      leads: [
        ...texts('hs_lead_name'),
        { name: 'hs_lead_label', type: 'enumeration', options: ['HOT', 'WARM', 'COLD'] },
        key,
      ],
    }
  }

  get contacts(): StoredObject[] {
    return [...this.records.contacts.values()]
  }

  get leads(): StoredObject[] {
    return [...this.records.leads.values()]
  }

  /** Counts the records of an object, by their Crosswalk id. */
  countsOf(object: ObjectName, keyField = 'crosswalk_id'): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { properties } of this.records[object].values()) {
      const key = properties[keyField] ?? ''
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return counts
  }

  /** Adds a record that people of the account created. */
  add(object: ObjectName, properties: Values, associations: Association[] = []): StoredObject {
    const now = new Date().toISOString()
    const id = String(++this.#made)
    const kept = { id, createdAt: now, updatedAt: now, properties: { ...properties }, associations }
    this.records[object].set(id, kept)
    return kept
  }

  isUnique(object: ObjectName, name: string): boolean {
    if (object === 'contacts' && name === 'email') return true
    return this.properties[object].some((each) => each.name === name && each.hasUniqueValue === true)
  }

  find(object: ObjectName, idProperty: string | undefined, id: string): StoredObject | undefined {
    if (idProperty === undefined || idProperty === 'hs_object_id') return this.records[object].get(id)
    return [...this.records[object].values()].find(
      ({ properties }) => properties[idProperty] !== undefined && same(properties[idProperty], id),
    )
  }

  /** Why the record cannot have these values; null if it can. */
  faultOf(object: ObjectName, values: Values, id: string | null): Fault | null {
    for (const [name, value] of Object.entries(values)) {
      const property = this.properties[object].find((each) => each.name === name)
      if (!property) return invalid(`Property "${name}" does not exist`, 'PROPERTY_DOESNT_EXIST', name)
      if (property.readOnly) return invalid(`"${name}" is a read only property`, 'READ_ONLY_VALUE', name)
      if (value === '') continue
      if (name === 'email' && !/^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i.test(value))
        return invalid(`Email address ${value} is invalid`, 'INVALID_EMAIL', name)
      if (property.options && !property.options.includes(value))
        return invalid(
          `${value} was not one of the allowed options: [${property.options.join(', ')}]`,
          'INVALID_OPTION',
          name,
        )
      const other = this.isUnique(object, name) ? this.find(object, name, value) : undefined
      if (!other || other.id === id) continue
      if (name === 'email')
        return {
          category: 'CONFLICT',
          message: `Contact already exists. Existing ID: ${other.id}`,
          context: { existingId: [other.id] },
        }
      return invalid(
        `Cannot set PropertyValueCoordinates for property ${name}: ${other.id} already has that value`,
        'CONFLICTING_UNIQUE_VALUE',
        name,
      )
    }
    return null
  }
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
