import { membersOf } from '../../platform/outbound/answers.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type Adapter, type CrmField, type Kind, type Person, type RowOutcome, Unusable } from './adapter.ts'
import { EspoApi, type EspoReply, idIn, missing, reasonOf } from './espocrm-api.ts'

const entities: Record<Kind, string> = { lead: 'Lead', contact: 'Contact' }
/** A UUID as text. */
const keyLength = 36
const nobody = '00000000-0000-0000-0000-000000000000'

/**
 * EspoCRM's records, one at a time: it has no upsert, so that a look-up by our field comes before each that it may not have
 * (docs.espocrm.com/development/api/crud).
 */
export function espocrmAdapter(
  { url, api_key: apiKey }: { url: string; api_key: string },
  { keyField, allowDuplicates }: { keyField: string; allowDuplicates: boolean },
  outbound: Outbound,
): Adapter {
  const api = new EspoApi(outbound, url, apiKey)
  const described = new Map<Kind, Promise<Readonly<Record<string, unknown>>>>()

  async function readFields(kind: Kind): Promise<Readonly<Record<string, unknown>>> {
    const entity = entities[kind]
    const { json } = api.expect(await api.ask('GET', `/Metadata?key=entityDefs.${entity}`), 'Its metadata')
    // Before version 7 it says all that there is, whatever the key.
    const all = membersOf(membersOf(json).entityDefs)
    const { fields } = membersOf(json).fields ? membersOf(json) : membersOf(all[entity])
    if (fields === undefined)
      throw new Unusable(
        `EspoCRM shows no ${entity} to this API user: give it a role with access to ${entity} (Administration > Roles)`,
      )
    return membersOf(fields)
  }

  function fieldsOf(kind: Kind): Promise<Readonly<Record<string, unknown>>> {
    const known = described.get(kind) ?? readFields(kind)
    described.set(kind, known)
    known.catch(() => described.delete(kind))
    return known
  }

  /** Who has our id there; null: nobody. @throws Unusable if it cannot be looked for */
  async function find(kind: Kind, key: string): Promise<string | null> {
    const query = new URLSearchParams({
      ...{ maxSize: '1', select: 'id', orderBy: 'createdAt', order: 'asc' },
      ...{ 'where[0][type]': 'equals', 'where[0][attribute]': keyField, 'where[0][value]': key },
    })
    const reply = await api.ask('GET', `/${entities[kind]}?${query}`)
    if (reply.status === 400) throw new Unusable(`${reasonOf(reply)} ${toCreate(kind, keyField)}`)
    const { list } = membersOf(api.expect(reply, entities[kind]).json)
    if (!Array.isArray(list)) throw missing('a list')
    return list.length === 0 ? null : idIn(list[0])
  }

  async function update(kind: Kind, id: string, { key, values }: Person): Promise<RowOutcome | null> {
    const body = { ...values, [keyField]: key }
    const reply = await api.ask('PUT', `/${entities[kind]}/${encodeURIComponent(id)}`, body, skipping)
    if (reply.status === 404) return null
    // A role may let somebody change these records and not those.
    if (reply.status === 403)
      return failed(`EspoCRM does not let this API user change ${entities[kind]} ${id}: ${reasonOf(reply)}`)
    return outcomeOf(reply, kind, 'updated')
  }

  async function create(kind: Kind, person: Person): Promise<RowOutcome> {
    const body = { ...person.values, [keyField]: person.key }
    const reply = await api.ask('POST', `/${entities[kind]}`, body, skipping)
    const twin =
      reply.status === 409 ? duplicatesIn(reply).find((each) => each[keyField] === person.key) : undefined
    // A request whose answer was lost came through after the look-up.
    if (twin) return (await update(kind, idIn(twin), person)) ?? gone()
    return outcomeOf(reply, kind, 'created')
  }

  const skipping: Record<string, string> = allowDuplicates ? { 'x-skip-duplicate-check': 'true' } : {}

  function outcomeOf(reply: EspoReply, kind: Kind, outcome: 'created' | 'updated'): RowOutcome {
    const { status } = reply
    if (status === 200 || status === 201) return { outcome, externalId: idIn(reply.json) }
    if (status === 409 && duplicatesIn(reply).length > 0)
      return {
        outcome: 'failed',
        message: `EspoCRM holds them for the same as ${duplicatesIn(reply).slice(0, 3).map(nameOf).join(', ')}: merge or change them there, or create them all the same (settings.allow_duplicates of the connection)`,
        isDuplicate: true,
      }
    if (status === 400 || status === 409 || status === 413 || status === 422)
      return failed(`EspoCRM does not take them: ${reasonOf(reply)}`)
    api.expect(reply, entities[kind])
    throw missing('the record')
  }

  async function upsertOne(kind: Kind, person: Person, signal: AbortSignal): Promise<RowOutcome> {
    if (person.externalId !== null) {
      const updated = await update(kind, person.externalId, person)
      if (updated) return updated
      signal.throwIfAborted()
    }
    const found = await find(kind, person.key)
    signal.throwIfAborted()
    if (found === null) return create(kind, person)
    return (await update(kind, found, person)) ?? gone()
  }

  return {
    batchSize: 1,
    async describe(kind) {
      const fields = await fieldsOf(kind)
      return {
        fields: Object.entries(fields).flatMap(([name, field]) => fieldOf(name, membersOf(field))),
        keyField,
      }
    },
    async problems(kind) {
      const fields = await fieldsOf(kind)
      const { type, maxLength, readOnly } = membersOf(fields[keyField])
      if (fields[keyField] === undefined) {
        const prefixed = `c${keyField[0]!.toUpperCase()}${keyField.slice(1)}`
        if (fields[prefixed] === undefined) return [toCreate(kind, keyField)]
        return [
          `The field for our id is called ${prefixed} in EspoCRM: say so ("settings": {"external_id_field": "${prefixed}"}).`,
        ]
      }
      if (type !== 'varchar' || readOnly === true || (typeof maxLength === 'number' && maxLength < keyLength))
        return [
          `The field ${keyField} of ${entities[kind]} cannot keep our ids: it has to be a Varchar of at least ${keyLength} characters that is not read-only (Administration > Entity Manager > ${entities[kind]} > Fields).`,
        ]
      // What is in the metadata may not be in the database yet.
      await find(kind, nobody)
      return []
    },
    async upsert(kind, people, signal) {
      const outcomes: RowOutcome[] = []
      for (const person of people) {
        signal.throwIfAborted()
        outcomes.push(await upsertOne(kind, person, signal))
      }
      return outcomes
    },
  }
}

const failed = (message: string): RowOutcome => ({ outcome: 'failed', message })
const gone = () => failed('EspoCRM deleted the record while it was pushed: push again')

const toCreate = (kind: Kind, keyField: string) =>
  `EspoCRM has no field for our id: create a Varchar with a maximal length of ${keyLength} in Administration > Entity Manager > ${entities[kind]} > Fields, called ${keyField}. Versions that put a c in front call it otherwise: then name it in settings.external_id_field.`

/** Of a 409: the records that it holds for the same. */
function duplicatesIn({ json }: EspoReply): Readonly<Record<string, unknown>>[] {
  return Array.isArray(json) ? json.map(membersOf) : []
}

function nameOf({ id, name, emailAddress }: Readonly<Record<string, unknown>>): string {
  const words = [name, emailAddress].filter((each) => typeof each === 'string' && each !== '')
  return words.length > 0 ? `${words.join(' <')}${words.length > 1 ? '>' : ''} (${id})` : String(id)
}

/** Fields made of others, which are listed beside them. */
const composite = new Set(['personName', 'address'])

/** A field of entityDefs (docs.espocrm.com/development/metadata/entity-defs); a link is written by id. */
function fieldOf(name: string, field: Readonly<Record<string, unknown>>): CrmField[] {
  const { type, required, readOnly, disabled, notStorable, default: preset } = field
  if (composite.has(String(type)) || disabled === true) return []
  const isVirtual = notStorable === true && type !== 'email' && type !== 'phone'
  const hasPreset = preset !== undefined && preset !== null && preset !== ''
  return [
    {
      name: type === 'link' ? `${name}Id` : name,
      required: required === true && readOnly !== true && !hasPreset,
      writable: readOnly !== true && !isVirtual,
    },
  ]
}
