import { membersOf } from '../../platform/outbound/answers.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { usualFields } from '../field-map.ts'
import { type Adapter, type Kind, type Person, type RowOutcome, Unusable } from './adapter.ts'
import { EspoApi, idIn, missing } from './espocrm-api.ts'
import { EspoSchema, entities, toCreate } from './espocrm-schema.ts'
import { type EspoReply, reasonOf } from './espocrm-words.ts'

const nobody = '00000000-0000-0000-0000-000000000000'
const skipsCheck = { 'x-skip-duplicate-check': 'true' }

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
  const schema = new EspoSchema(api, keyField)

  /** The id of the record with our id; null: there is none. @throws Unusable if EspoCRM cannot search by our field */
  async function find(kind: Kind, key: string): Promise<string | null> {
    const query = new URLSearchParams({
      ...{ maxSize: '1', select: 'id', orderBy: 'createdAt', order: 'asc' },
      ...{ 'where[0][type]': 'equals', 'where[0][attribute]': keyField, 'where[0][value]': key },
    })
    const reply = await api.ask('GET', `/${entities[kind]}?${query}`)
    if (reply.status === 400) {
      const reason = reasonOf(reply)
      const isLocked = reason.startsWith('Forbidden attribute')
      throw new Unusable(`${reason} ${isLocked ? toUnlock(keyField) : toCreate(entities[kind], keyField)}`)
    }
    const { list } = membersOf(api.expect(reply, entities[kind]).json)
    if (!Array.isArray(list)) throw missing('a list')
    return list.length === 0 ? null : idIn(list[0])
  }

  async function update(kind: Kind, id: string, person: Person): Promise<RowOutcome | null> {
    const path = `/${entities[kind]}/${encodeURIComponent(id)}`
    const reply = await api.ask('PUT', path, bodyOf(person), allowDuplicates ? skipsCheck : {})
    if (reply.status === 404) return null
    // A role may let somebody change these records and not those.
    if (reply.status === 403)
      return failed(`EspoCRM does not let this API user change ${entities[kind]} ${id}: ${reasonOf(reply)}`)
    return outcomeOf(reply, kind, person, 'updated')
  }

  /**
   * The first POST never skips EspoCRM's duplicate check: a server that works on it after its time-out would create the
   * person a second time.
   */
  async function create(kind: Kind, person: Person, signal: AbortSignal): Promise<RowOutcome> {
    const post = (headers: Record<string, string>) =>
      api.ask('POST', `/${entities[kind]}`, bodyOf(person), headers)
    const reply = await post({})
    if (reply.status !== 409 || duplicatesIn(reply).length === 0)
      return outcomeOf(reply, kind, person, 'created')
    // The record of an earlier POST whose answer was lost. A 409 lists 5 records at most, so that it may be missing there.
    const found = await find(kind, person.key)
    signal.throwIfAborted()
    if (found !== null) return (await update(kind, found, person)) ?? gone()
    return outcomeOf(allowDuplicates ? await post(skipsCheck) : reply, kind, person, 'created')
  }

  const bodyOf = ({ key, values }: Person) => ({ ...values, [keyField]: key })

  async function outcomeOf(
    reply: EspoReply,
    kind: Kind,
    { key }: Person,
    outcome: 'created' | 'updated',
  ): Promise<RowOutcome> {
    const { status } = reply
    if (status === 200 || status === 201) {
      const externalId = idIn(reply.json)
      // EspoCRM drops what the role may not edit, and answers 200. Without our id, the next push would create them again.
      if (membersOf(reply.json)[keyField] !== key)
        throw new Unusable(
          `EspoCRM did not keep our id in ${entities[kind]} ${externalId}. ${toUnlock(keyField)} If the role allows it, look for a formula or a hook that empties the field. Then write ${key} into the field of that record, or delete the record.`,
        )
      return { outcome, externalId }
    }
    if (status === 409 && duplicatesIn(reply).length > 0)
      return {
        outcome: 'failed',
        message: `EspoCRM refused this person as a duplicate of ${duplicatesIn(reply).slice(0, 3).map(nameOf).join(', ')}. Merge or change the records there, or create such people anyway (settings.allow_duplicates of the connection).`,
        isDuplicate: true,
      }
    if (status === 400 || status === 409 || status === 413 || status === 422)
      return failed(`EspoCRM refused this person: ${reasonOf(reply, await schema.fields(kind))}`)
    api.expect(reply, entities[kind])
    throw missing('the record')
  }

  /** Values as EspoCRM stores them; a text: why it would not. It answers 500 to an empty checkbox, and unticks it for a text. */
  async function typed(kind: Kind, { values }: Person): Promise<Person['values'] | string> {
    const usual = new Set(Object.values(usualFields.espocrm[kind]))
    const unusual = Object.keys(values).filter((name) => !usual.has(name))
    if (unusual.length === 0) return values
    const fields = await schema.fields(kind)
    const checkboxes = unusual.filter((name) => membersOf(fields[name]).type === 'bool')
    const read = checkboxes.map((name) => [name, checkboxValues.get(values[name])] as const)
    const unfit = read.find(([, value]) => value === undefined)
    if (unfit) {
      const sent = JSON.stringify(values[unfit[0]])
      return `EspoCRM’s field ${unfit[0]} is a checkbox: send true or false, not ${sent}.`
    }
    return { ...values, ...Object.fromEntries(read) }
  }

  async function upsertOne(kind: Kind, given: Person, signal: AbortSignal): Promise<RowOutcome> {
    const values = await typed(kind, given)
    if (typeof values === 'string') return failed(values)
    const person = { ...given, values }
    if (person.externalId !== null) {
      const updated = await update(kind, person.externalId, person)
      if (updated) return updated
      signal.throwIfAborted()
    }
    const found = await find(kind, person.key)
    signal.throwIfAborted()
    if (found === null) return create(kind, person, signal)
    return (await update(kind, found, person)) ?? gone()
  }

  return {
    batchSize: 1,
    // EspoCRM looks for duplicates and inserts without a lock.
    likenesses: allowDuplicates ? () => [] : likenessesOf,
    describe: async (kind) => ({ fields: await schema.describe(kind), keyField }),
    async problems(kind) {
      const problems = await schema.problems(kind)
      // What is in the metadata may not be in the database yet.
      if (problems.length === 0) await find(kind, nobody)
      return problems
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

const toUnlock = (keyField: string) =>
  `The field-level security of the API user’s role must allow Read and Edit for ${keyField} (Administration > Roles > Field Level).`

const checkboxValues = new Map<unknown, boolean>([
  ...([true, 'true', 1, '1'] as const).map((value) => [value, true] as const),
  ...([false, 'false', 0, '0', null, ''] as const).map((value) => [value, false] as const),
])

/** Name and address: what EspoCRM's duplicate check compares unless its metadata says otherwise (duplicateCheckFieldList). */
function likenessesOf({ values }: Person): string[] {
  const { firstName, lastName, emailAddress } = values
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return [name, emailAddress].flatMap((text) =>
    typeof text === 'string' && text !== '' ? [folded(text)] : [],
  )
}

/** MariaDB compares without case and accents. */
const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** The records of a 409 that EspoCRM takes for the same person. */
function duplicatesIn({ json }: EspoReply): Readonly<Record<string, unknown>>[] {
  return Array.isArray(json) ? json.map(membersOf) : []
}

function nameOf({ id, name, emailAddress }: Readonly<Record<string, unknown>>): string {
  const words = [name, emailAddress].filter((each) => typeof each === 'string' && each !== '')
  return words.length > 0 ? `${words.join(' <')}${words.length > 1 ? '>' : ''} (${id})` : String(id)
}
