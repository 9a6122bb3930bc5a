import { notProvided } from '../field-map.ts'
import { type Adapter, BatchRefused, type Person, type RowOutcome, Unusable } from './adapter.ts'
import { type HubSpotAccess, HubSpotApi, Refused } from './hubspot-api.ts'
import { batchMost, HubSpotObjects, type Input, type Kept, type Written } from './hubspot-objects.ts'
import { HubSpotSchema, leadName, leadPrefix } from './hubspot-schema.ts'

type Options = { connectionId: string; token: string; keyField: string }

/** A lead’s primary contact (developers.hubspot.com/docs/api-reference/crm-associations-v4/guide). */
const primaryContact = { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 578 }

/** Somebody whom HubSpot has no record of, with the reason. */
type Failed = { message: string; isDuplicate?: boolean }

/** Somebody whom HubSpot has, and whether it had them before any push. */
type Done = Kept & { wasThere?: boolean }

/**
 * HubSpot with the token of a private app. People are contacts there, found by our id or their address; a lead is one
 * more record with a name, and belongs to a contact. Both keep our id in a property that HubSpot keeps unique.
 */
export function hubspotAdapter(access: HubSpotAccess, { connectionId, token, keyField }: Options): Adapter {
  const api = new HubSpotApi(access, connectionId, token)
  const schema = new HubSpotSchema(api, keyField)
  const objects = new HubSpotObjects(api, keyField)
  /** Whose an address is, among batches that are under way at once. */
  const holders = new Map<string, string>()

  async function upsertContacts(
    people: readonly Person[],
    signal: AbortSignal,
  ): Promise<Map<string, Done | Failed>> {
    const done = new Map<string, Done | Failed>()
    for (const person of people) {
      const email = emailOf(person)
      const holder = email && holders.get(email)
      if (holder && holder !== person.key) done.set(person.key, shared(email, `that of contact ${holder}`))
      else if (email) holders.set(email, person.key)
    }
    const wanted = people.filter(({ key }) => !done.has(key))
    const names = wanted.flatMap(({ key, otherKeys = [] }) => [key, ...otherKeys])
    const there = await objects.readBy('contacts', keyField, names, signal)
    // The id under which HubSpot has them: who absorbed others may be there as one of those.
    const known = new Map(
      wanted.flatMap(({ key, otherKeys = [] }) => {
        const name = [key, ...otherKeys].find((each) => there.has(each))
        return name === undefined ? [] : [[key, name] as const]
      }),
    )
    const strangers = wanted.filter(({ key }) => !known.has(key))
    const emails = strangers.flatMap((person) => emailOf(person) ?? [])
    const byEmail = await objects.readBy('contacts', 'email', emails, signal)
    const theirs = new Set<string>()
    const inputs = wanted.flatMap((person): Input[] => {
      const { key } = person
      const name = known.get(key) ?? key
      const email = known.has(key) ? null : emailOf(person)
      const holder = email === null ? undefined : byEmail.get(email)
      const owner = holder?.properties[keyField]
      if (email !== null && typeof owner === 'string' && owner !== '' && owner !== key) {
        done.set(key, shared(email, `${holder!.id}, whose ${keyField} is ${owner}`))
        return []
      }
      // What a push created has our id, also if nobody heard of it.
      if (holder && !owner) theirs.add(key)
      const properties = { ...contactOf(person, known.has(key)), [keyField]: name }
      const by = email === null ? { id: name, idProperty: keyField } : { id: email, idProperty: 'email' }
      return [{ key, ...by, properties }]
    })
    // Each batch is by one property.
    for (const idProperty of ['email', keyField]) {
      const batch = inputs.filter((input) => input.idProperty === idProperty)
      for (const [key, each] of await write('contacts', 'upsert', batch, signal))
        done.set(key, settledOf(each, theirs.has(key)))
    }
    release(wanted.filter(({ key }) => isRefused(done.get(key)!)))
    return done
  }

  /** Of people of whom HubSpot has taken nothing. */
  function release(people: readonly Person[]): void {
    for (const person of people) {
      const email = emailOf(person)
      if (email && holders.get(email) === person.key) holders.delete(email)
    }
  }

  async function upsertLeads(people: readonly Person[], signal: AbortSignal): Promise<RowOutcome[]> {
    const contacts = await upsertContacts(people, signal)
    const wanted = people.filter(({ key }) => 'id' in contacts.get(key)!)
    const known = await objects.readBy('leads', keyField, keysOf(wanted), signal)
    const strangers = wanted.filter(({ key }) => !known.has(key))
    const create = (some: readonly Person[]) => {
      const batch = some.map(({ key, values }) => ({
        ...{ key, properties: { ...leadOf(values, false), [keyField]: key } },
        associations: [{ to: { id: (contacts.get(key) as Kept).id }, types: [primaryContact] }],
      }))
      return write('leads', 'create', batch, signal)
    }
    const findCreated = async (keys: readonly string[]) => {
      for (const [key, kept] of await objects.readBy('leads', keyField, keys, signal)) known.set(key, kept)
    }
    let created: Map<string, Written>
    try {
      created = await create(strangers)
    } catch (error) {
      if (!(error instanceof Refused && error.isConflict)) throw error
      // Some came into being by a try whose answer was lost.
      await findCreated(keysOf(strangers))
      created = await create(strangers.filter(({ key }) => !known.has(key)))
    }
    const conflicts = [...created].filter(([, each]) => 'isConflict' in each && each.isConflict)
    await findCreated(conflicts.map(([key]) => key))
    const batch = wanted.flatMap(({ key, values }) => {
      const kept = known.get(key)
      return kept ? [{ key, id: kept.id, properties: { ...leadOf(values, true), [keyField]: key } }] : []
    })
    const updated = await write('leads', 'update', batch, signal)
    const done = new Map<string, Done | Failed>([...contacts, ...created, ...updated])
    return people.map(({ key }) => outcomeOf(done.get(key)!))
  }

  /**
   * What became of each. Looks for people whom the answer leaves out, and for those whose record it shows without our id.
   * @throws Unusable that names a record without our id: each push would create its person again
   */
  async function write(
    object: 'contacts' | 'leads',
    verb: 'create' | 'update' | 'upsert',
    batch: readonly Input[],
    signal: AbortSignal,
  ): Promise<Map<string, Written>> {
    const { written, unmatched } = await objects.write(object, verb, batch, signal)
    const doubtful = batch.flatMap(({ key, properties }) => {
      const [name, answer] = [properties[keyField] ?? key, written.get(key)]
      const isClear = answer && (!('id' in answer) || isSame(answer.properties[keyField], name))
      return isClear ? [] : [{ key, name, id: answer?.id ?? unmatched[0]?.id, answer }]
    })
    const names = doubtful.map(({ name }) => name)
    const found = await objects.readBy(object, keyField, names, signal)
    for (const { key, name, id, answer } of doubtful) {
      const kept = found.get(name.toLowerCase())
      if (!kept && id !== undefined) throw new Unusable(notKept(object, id, keyField, name))
      written.set(key, answer ?? kept ?? { ...unsaid, isConflict: false })
    }
    return written
  }

  return {
    batchSize: batchMost,
    describe: async (kind) => ({
      fields: await schema.fields(kind),
      keyField: kind === 'lead' ? `${leadPrefix}${keyField}` : keyField,
    }),
    problems: (kind) => schema.problems(kind),
    async upsert(kind, people, signal) {
      try {
        if (kind === 'lead') return await upsertLeads(people, signal)
        const contacts = await upsertContacts(people, signal)
        return people.map(({ key }) => outcomeOf(contacts.get(key)!))
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        release(people)
        throw new BatchRefused(error.message)
      }
    },
  }
}

const keysOf = (people: readonly Person[]) => people.map(({ key }) => key)

const unsaid = { message: 'HubSpot did not report a result for this person' }

const isSame = (value: unknown, name: string) =>
  typeof value === 'string' && value.toLowerCase() === name.toLowerCase()

const notKept = (object: string, id: string, keyField: string, key: string) =>
  `HubSpot did not keep our id in ${id} of ${object}. Look for a workflow that empties ${keyField}. Then write ${key} into the property of that record, or delete the record.`

const isRefused = (each: Done | Failed) => !('id' in each) && each.message !== unsaid.message

const shared = (email: string, whose: string): Failed => ({
  message: `HubSpot has one contact for an address, and the one of ${email} is ${whose}: merge the two people, give one of them another address, or empty our id there`,
  isDuplicate: true,
})

function settledOf(written: Written, wasThere: boolean): Done | Failed {
  if ('id' in written) return { ...written, wasThere }
  return written.isConflict ? taken(written) : written
}

const taken = ({ message }: Failed): Failed => ({
  message: `${message}: HubSpot has this address or id in another contact; merge the two there`,
  isDuplicate: true,
})

const outcomeOf = (each: Done | Failed): RowOutcome =>
  'id' in each
    ? { outcome: each.isNew ? 'created' : 'updated', externalId: each.id, wasThere: each.wasThere ?? false }
    : { outcome: 'failed', message: each.message, isDuplicate: 'isDuplicate' in each && each.isDuplicate }

/** The address that is pushed, in lower case, as HubSpot keeps it. */
function emailOf({ values }: Person): string | null {
  const { email } = values
  return typeof email === 'string' && email !== '' ? email.toLowerCase() : null
}

/** The properties of somebody's contact: HubSpot creates none without an address or a name. */
function contactOf({ values }: Person, isKnown: boolean): Record<string, string> {
  const own = Object.entries(values).filter(([name]) => !name.startsWith(leadPrefix))
  const properties = wireOf(own, isKnown)
  const { email, firstname, lastname, phone } = properties
  return email || firstname || lastname ? properties : { ...properties, lastname: phone || notProvided }
}

function leadOf(values: Person['values'], isKnown: boolean): Record<string, string> {
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

/** Values are text. What we know nothing of clears what was pushed before; what was theirs before that stays. */
function wireOf(values: readonly [string, unknown][], isKnown: boolean): Record<string, string> {
  const said = values.filter(([, value]) => isKnown || (value !== null && value !== ''))
  return Object.fromEntries(said.map(([name, value]) => [name, value === null ? '' : String(value)]))
}
