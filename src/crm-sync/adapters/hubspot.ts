import { notProvided } from '../field-map.ts'
import {
  type Adapter,
  BatchRefused,
  type CrmField,
  type CrmKind,
  type CrmPerson,
  CrmSetupError,
  type RowOutcome,
} from './adapter.ts'
import { type HubSpotAccess, HubSpotApi, RequestRefused } from './hubspot-api.ts'
import {
  type BatchInput,
  type BatchResult,
  batchMax,
  HubSpotObjects,
  type HubSpotRecord,
} from './hubspot-objects.ts'
import { HubSpotSchema, leadName, leadPrefix } from './hubspot-schema.ts'

type Options = HubSpotAccess & { connectionId: string; token: string; keyField: string }

/**
 * The association of a lead with its primary contact
 * (developers.hubspot.com/docs/api-reference/crm-associations-v4/guide).
 */
const primaryContact = { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 578 }

type Failed = { message: string; isDuplicate?: boolean }

/** The record of a person. `preexisting`: HubSpot had the record before any push. */
type WrittenRecord = HubSpotRecord & { preexisting?: boolean }

/**
 * HubSpot with the token of a private app. A contact is found by Crosswalk's id or by address. A lead is an
 * additional record of a contact. Both store Crosswalk's id in a unique property.
 */
export class HubSpotAdapter implements Adapter {
  readonly batchSize = batchMax
  readonly #schema: HubSpotSchema
  readonly #objects: HubSpotObjects
  readonly #keyField: string
  /**
   * The key of the person who uses an address. Without this map, concurrent batches could give one address to two
   * people.
   */
  readonly #holders = new Map<string, string>()

  constructor({ connectionId, token, keyField, ...access }: Options) {
    const api = new HubSpotApi(access, connectionId, token)
    this.#schema = new HubSpotSchema(api, keyField)
    this.#objects = new HubSpotObjects(api, keyField)
    this.#keyField = keyField
  }

  /** Empty: HubSpot keeps addresses unique, and this adapter never sends an address twice at once. */
  duplicateKeys(): string[] {
    return []
  }

  async describe(kind: CrmKind): Promise<{ fields: CrmField[]; keyField: string }> {
    const keyField = kind === 'lead' ? `${leadPrefix}${this.#keyField}` : this.#keyField
    return { fields: await this.#schema.fields(kind), keyField }
  }

  problems(kind: CrmKind): Promise<string[]> {
    return this.#schema.problems(kind)
  }

  async upsert(kind: CrmKind, people: readonly CrmPerson[], signal: AbortSignal): Promise<RowOutcome[]> {
    try {
      const contacts = await this.#upsertContacts(people, signal)
      const done = kind === 'lead' ? await this.#upsertLeads(people, contacts, signal) : contacts
      return people.map(({ key }) => outcomeOf(done.get(key) ?? noResult))
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error
      this.#release(people)
      throw new BatchRefused(error.message)
    }
  }

  async #upsertContacts(
    people: readonly CrmPerson[],
    signal: AbortSignal,
  ): Promise<Map<string, WrittenRecord | Failed>> {
    const done = new Map<string, WrittenRecord | Failed>()
    for (const person of people) {
      const email = emailOf(person)
      const holder = email && this.#holders.get(email)
      if (holder && holder !== person.key)
        done.set(person.key, addressShared(email, `already used for contact ${holder}`))
      else if (email) this.#holders.set(email, person.key)
    }
    const wanted = people.filter(({ key }) => !done.has(key))
    const names = wanted.flatMap(({ key, otherKeys = [] }) => [key, ...otherKeys])
    const there = await this.#objects.readBy('contacts', this.#keyField, names, signal)
    // The id by which HubSpot knows each person: the person's own, or that of an absorbed contact.
    const known = new Map(
      wanted.flatMap(({ key, otherKeys = [] }) => {
        const name = [key, ...otherKeys].find((each) => there.has(each))
        return name === undefined ? [] : [[key, name] as const]
      }),
    )
    const strangers = wanted.filter(({ key }) => !known.has(key))
    const emails = strangers.flatMap((person) => emailOf(person) ?? [])
    const byEmail = await this.#objects.readBy('contacts', 'email', emails, signal)
    const preexisting = new Set<string>()
    const inputs = wanted.flatMap((person): BatchInput[] => {
      const { key } = person
      const name = known.get(key) ?? key
      const email = known.has(key) ? null : emailOf(person)
      const holder = email === null ? undefined : byEmail.get(email)
      const owner = holder?.properties[this.#keyField]
      if (email !== null && holder && typeof owner === 'string' && owner !== '' && owner !== key) {
        done.set(key, addressShared(email, `${holder.id}, whose ${this.#keyField} is ${owner}`))
        return []
      }
      // A contact that a push created has Crosswalk's id, even if the answer was lost.
      if (holder && !owner) preexisting.add(key)
      const properties = { ...contactOf(person, known.has(key)), [this.#keyField]: name }
      const by =
        email === null ? { id: name, idProperty: this.#keyField } : { id: email, idProperty: 'email' }
      return [{ key, ...by, properties }]
    })
    // HubSpot finds all records of a batch by the same property, so each property needs its own batches.
    for (const idProperty of ['email', this.#keyField]) {
      const batch = inputs.filter((input) => input.idProperty === idProperty)
      for (const [key, each] of await this.#write('contacts', 'upsert', batch, signal))
        done.set(key, resultOf(each, preexisting.has(key)))
    }
    this.#release(wanted.filter(({ key }) => isRefused(done.get(key) ?? noResult)))
    return done
  }

  #release(people: readonly CrmPerson[]): void {
    for (const person of people) {
      const email = emailOf(person)
      if (email && this.#holders.get(email) === person.key) this.#holders.delete(email)
    }
  }

  async #upsertLeads(
    people: readonly CrmPerson[],
    contacts: ReadonlyMap<string, WrittenRecord | Failed>,
    signal: AbortSignal,
  ): Promise<Map<string, WrittenRecord | Failed>> {
    const contactIds = new Map<string, string>()
    for (const [key, each] of contacts) if ('id' in each) contactIds.set(key, each.id)
    const wanted = people.filter(({ key }) => contactIds.has(key))
    const known = await this.#objects.readBy('leads', this.#keyField, keysOf(wanted), signal)
    const strangers = wanted.filter(({ key }) => !known.has(key))
    const create = (some: readonly CrmPerson[]) => {
      const batch = some.map(({ key, values }) => ({
        ...{ key, properties: { ...leadOf(values, false), [this.#keyField]: key } },
        associations: [{ to: { id: contactIds.get(key) }, types: [primaryContact] }],
      }))
      return this.#write('leads', 'create', batch, signal)
    }
    const findCreated = async (keys: readonly string[]) => {
      for (const [key, kept] of await this.#objects.readBy('leads', this.#keyField, keys, signal))
        known.set(key, kept)
    }
    let created: Map<string, BatchResult>
    try {
      created = await create(strangers)
    } catch (error) {
      if (!(error instanceof RequestRefused && error.isConflict)) throw error
      // An earlier push whose answer was lost has created some of these people.
      await findCreated(keysOf(strangers))
      created = await create(strangers.filter(({ key }) => !known.has(key)))
    }
    const conflicts = [...created].filter(([, each]) => 'isConflict' in each && each.isConflict)
    await findCreated(conflicts.map(([key]) => key))
    const batch = wanted.flatMap(({ key, values }) => {
      const kept = known.get(key)
      return kept
        ? [{ key, id: kept.id, properties: { ...leadOf(values, true), [this.#keyField]: key } }]
        : []
    })
    const updated = await this.#write('leads', 'update', batch, signal)
    return new Map<string, WrittenRecord | Failed>([...contacts, ...created, ...updated])
  }

  /**
   * Writes a batch. Searches for each person that the answer lacks, or shows without Crosswalk's id.
   * @throws CrmSetupError that names a record without Crosswalk's id: each push would create its person again
   */
  async #write(
    object: 'contacts' | 'leads',
    verb: 'create' | 'update' | 'upsert',
    batch: readonly BatchInput[],
    signal: AbortSignal,
  ): Promise<Map<string, BatchResult>> {
    const { written, unmatched } = await this.#objects.write(object, verb, batch, signal)
    const doubtful = batch.flatMap(({ key, properties }) => {
      const [name, answer] = [properties[this.#keyField] ?? key, written.get(key)]
      const isClear =
        answer && (!('id' in answer) || equalsIgnoringCase(answer.properties[this.#keyField], name))
      return isClear ? [] : [{ key, name, id: answer?.id ?? unmatched[0]?.id, answer }]
    })
    const names = doubtful.map(({ name }) => name)
    const found = await this.#objects.readBy(object, this.#keyField, names, signal)
    for (const { key, name, id, answer } of doubtful) {
      const kept = found.get(name.toLowerCase())
      if (!kept && id !== undefined) throw new CrmSetupError(keyLost(object, id, this.#keyField, name))
      written.set(key, answer ?? kept ?? { ...noResult, isConflict: false })
    }
    return written
  }
}

const keysOf = (people: readonly CrmPerson[]) => people.map(({ key }) => key)

const noResult: Failed = { message: 'HubSpot did not report a result for this person' }

const equalsIgnoringCase = (value: unknown, name: string) =>
  typeof value === 'string' && value.toLowerCase() === name.toLowerCase()

const keyLost = (object: string, id: string, keyField: string, key: string) =>
  `HubSpot did not keep the Crosswalk id in ${id} of ${object}. Look for a workflow that empties ${keyField}. Then write ${key} into the property of that record, or delete the record.`

const isRefused = (each: WrittenRecord | Failed) => !('id' in each) && each.message !== noResult.message

const addressShared = (email: string, whose: string): Failed => ({
  message: `HubSpot has one contact for an address, and the contact for ${email} is ${whose}: merge the two people, give one of them another address, or clear the Crosswalk id field in HubSpot`,
  isDuplicate: true,
})

function resultOf(written: BatchResult, preexisting: boolean): WrittenRecord | Failed {
  if ('id' in written) return { ...written, preexisting }
  return written.isConflict ? addressTaken(written) : written
}

const addressTaken = ({ message }: Failed): Failed => ({
  message: `${message}: HubSpot has this address or id in another contact; merge the two there`,
  isDuplicate: true,
})

const outcomeOf = (each: WrittenRecord | Failed): RowOutcome =>
  'id' in each
    ? {
        outcome: each.isNew ? 'created' : 'updated',
        externalId: each.id,
        preexisting: each.preexisting ?? false,
      }
    : { outcome: 'failed', message: each.message, isDuplicate: 'isDuplicate' in each && each.isDuplicate }

/** Returns the address of a person, in lower case as HubSpot stores it. */
function emailOf({ values }: CrmPerson): string | null {
  const { email } = values
  return typeof email === 'string' && email !== '' ? email.toLowerCase() : null
}

/** Returns the properties of a person's contact. HubSpot creates no contact without an address or a name. */
function contactOf({ values }: CrmPerson, isKnown: boolean): Record<string, string> {
  const own = Object.entries(values).filter(([name]) => !name.startsWith(leadPrefix))
  const properties = wireOf(own, isKnown)
  const { email, firstname, lastname, phone } = properties
  return email || firstname || lastname ? properties : { ...properties, lastname: phone || notProvided }
}

function leadOf(values: CrmPerson['values'], isKnown: boolean): Record<string, string> {
  const own = Object.entries(values)
    .filter(([name]) => name.startsWith(leadPrefix))
    .map(([name, value]): [string, unknown] => [name.slice(leadPrefix.length), value])
  const names = [values.firstname, values.lastname].filter(Boolean).join(' ')
  const properties = wireOf(own, isKnown)
  return {
    ...properties,
    [leadName]: properties[leadName] || names || String(values.email ?? values.phone ?? notProvided),
  }
}

/**
 * HubSpot's values are text. An empty value clears a property of a known contact; for a new contact it is left out.
 */
function wireOf(values: readonly [string, unknown][], isKnown: boolean): Record<string, string> {
  const sent = values.filter(([, value]) => isKnown || (value !== null && value !== ''))
  return Object.fromEntries(sent.map(([name, value]) => [name, value === null ? '' : String(value)]))
}
