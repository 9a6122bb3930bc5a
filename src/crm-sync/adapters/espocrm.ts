import { membersOf } from '../../platform/members.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { defaultFields } from '../field-map.ts'
import {
  type Adapter,
  type CrmField,
  type CrmKind,
  type CrmPerson,
  CrmSetupError,
  type RowOutcome,
} from './adapter.ts'
import { EspoApi, idIn, incompleteAnswer } from './espocrm-api.ts'
import { type EspoReply, reasonOf } from './espocrm-reasons.ts'
import { EspoSchema, entities, missingIdFieldProblem } from './espocrm-schema.ts'

const noUserId = '00000000-0000-0000-0000-000000000000'
const skipsCheck = { 'x-skip-duplicate-check': 'true' }

type Options = {
  outbound: Outbound
  /** The organization whose thread time parses the answers. */
  owner: string
  url: string
  apiKey: string
  keyField: string
  allowDuplicates: boolean
}

/**
 * EspoCRM with an API key (docs.espocrm.com/development/api/crud). EspoCRM has no upsert, so the adapter searches for
 * Crosswalk's id before it creates a person.
 */
export class EspoAdapter implements Adapter {
  readonly batchSize = 1
  readonly #api: EspoApi
  readonly #schema: EspoSchema
  readonly #keyField: string
  readonly #allowDuplicates: boolean

  constructor({ outbound, owner, url, apiKey, keyField, allowDuplicates }: Options) {
    this.#api = new EspoApi(outbound, owner, url, apiKey)
    this.#schema = new EspoSchema(this.#api, keyField)
    this.#keyField = keyField
    this.#allowDuplicates = allowDuplicates
  }

  /** EspoCRM needs these values: it checks for duplicates and inserts without a lock. */
  duplicateKeys(person: CrmPerson): string[] {
    return this.#allowDuplicates ? [] : nameAndAddress(person)
  }

  async describe(kind: CrmKind): Promise<{ fields: CrmField[]; keyField: string }> {
    return { fields: await this.#schema.describe(kind), keyField: this.#keyField }
  }

  async problems(kind: CrmKind): Promise<string[]> {
    const problems = await this.#schema.problems(kind)
    // Search once to see whether the field works: a new field can be in the metadata before it is in the database.
    if (problems.length === 0) await this.#find(kind, noUserId)
    return problems
  }

  async upsert(kind: CrmKind, people: readonly CrmPerson[], signal: AbortSignal): Promise<RowOutcome[]> {
    const outcomes: RowOutcome[] = []
    for (const person of people) {
      signal.throwIfAborted()
      outcomes.push(await this.#upsertOne(kind, person, signal))
    }
    return outcomes
  }

  /**
   * The id of the record with Crosswalk's id; null if there is none.
   * @throws CrmSetupError if EspoCRM cannot search by the field
   */
  async #find(kind: CrmKind, key: string): Promise<string | null> {
    const query = new URLSearchParams({
      ...{ maxSize: '1', select: 'id', orderBy: 'createdAt', order: 'asc' },
      ...{ 'where[0][type]': 'equals', 'where[0][attribute]': this.#keyField, 'where[0][value]': key },
    })
    const reply = await this.#api.ask('GET', `/${entities[kind]}?${query}`)
    if (reply.status === 400) {
      const reason = reasonOf(reply)
      const isLocked = reason.startsWith('Forbidden attribute')
      throw new CrmSetupError(
        `${reason} ${isLocked ? fieldAccessHint(this.#keyField) : missingIdFieldProblem(entities[kind], this.#keyField)}`,
      )
    }
    const { list } = membersOf(this.#api.expect(reply, entities[kind]).json)
    if (!Array.isArray(list)) throw incompleteAnswer('a list')
    return list.length === 0 ? null : idIn(list[0])
  }

  async #update(kind: CrmKind, id: string, person: CrmPerson): Promise<RowOutcome | null> {
    const path = `/${entities[kind]}/${encodeURIComponent(id)}`
    const reply = await this.#api.ask(
      'PUT',
      path,
      this.#bodyOf(person),
      this.#allowDuplicates ? skipsCheck : {},
    )
    if (reply.status === 404) return null
    // The role may allow changes of some records only.
    if (reply.status === 403)
      return failed(`EspoCRM does not let this API user change ${entities[kind]} ${id}: ${reasonOf(reply)}`)
    return this.#outcomeOf(reply, kind, person, 'updated')
  }

  /**
   * Creates a person. The first POST always uses EspoCRM's duplicate check: after a timeout, EspoCRM may still be
   * creating the person of an earlier request.
   */
  async #create(kind: CrmKind, person: CrmPerson, signal: AbortSignal): Promise<RowOutcome> {
    const post = (headers: Record<string, string>) =>
      this.#api.ask('POST', `/${entities[kind]}`, this.#bodyOf(person), headers)
    const reply = await post({})
    if (reply.status !== 409 || duplicatesIn(reply).length === 0)
      return this.#outcomeOf(reply, kind, person, 'created')
    // An earlier POST whose answer was lost may have created the record. Search for it: the 409 lists at most 5
    // records.
    const found = await this.#find(kind, person.key)
    signal.throwIfAborted()
    if (found !== null) return (await this.#update(kind, found, person)) ?? deletedMeanwhile()
    return this.#outcomeOf(this.#allowDuplicates ? await post(skipsCheck) : reply, kind, person, 'created')
  }

  async #outcomeOf(
    reply: EspoReply,
    kind: CrmKind,
    { key }: CrmPerson,
    outcome: 'created' | 'updated',
  ): Promise<RowOutcome> {
    const { status } = reply
    if (status === 200 || status === 201) {
      const externalId = idIn(reply.json)
      // EspoCRM ignores fields that the role may not edit, and still answers 200. Without Crosswalk's id, the next
      // push would create the person again.
      if (membersOf(reply.json)[this.#keyField] !== key)
        throw new CrmSetupError(
          `EspoCRM did not keep the Crosswalk id in ${entities[kind]} ${externalId}. ${fieldAccessHint(this.#keyField)} If the role allows it, look for a formula or a hook that empties the field. Then write ${key} into the field of that record, or delete the record.`,
        )
      return { outcome, externalId }
    }
    if (status === 409 && duplicatesIn(reply).length > 0)
      return {
        outcome: 'failed',
        message: `EspoCRM refused this person as a duplicate of ${duplicatesIn(reply).slice(0, 3).map(nameOf).join(', ')}. Merge or change the records there, or let the settings of the connection create such people (allow_duplicates).`,
        isDuplicate: true,
      }
    if (status === 400 || status === 409 || status === 413 || status === 422)
      return failed(`EspoCRM refused this person: ${reasonOf(reply, await this.#schema.fields(kind))}`)
    this.#api.expect(reply, entities[kind])
    throw incompleteAnswer('the record')
  }

  /**
   * Converts values to EspoCRM's types. Returns a reason if EspoCRM would refuse a value: it answers 500 to an empty
   * checkbox, and clears a checkbox that is sent as text.
   */
  async #typed(kind: CrmKind, { values }: CrmPerson): Promise<CrmPerson['values'] | string> {
    const defaults = new Set(Object.values(defaultFields.espocrm[kind]))
    const others = Object.keys(values).filter((name) => !defaults.has(name))
    if (others.length === 0) return values
    const fields = await this.#schema.fields(kind)
    const checkboxes = others.filter((name) => membersOf(fields[name]).type === 'bool')
    const read = checkboxes.map((name) => [name, checkboxValues.get(values[name])] as const)
    const unfit = read.find(([, value]) => value === undefined)
    if (unfit) {
      const sent = JSON.stringify(values[unfit[0]])
      return `EspoCRM’s field ${unfit[0]} is a checkbox: send true or false, not ${sent}.`
    }
    return { ...values, ...Object.fromEntries(read) }
  }

  async #upsertOne(kind: CrmKind, given: CrmPerson, signal: AbortSignal): Promise<RowOutcome> {
    const values = await this.#typed(kind, given)
    if (typeof values === 'string') return failed(values)
    const person = { ...given, values }
    if (person.externalId !== null) {
      const updated = await this.#update(kind, person.externalId, person)
      if (updated) return updated
      signal.throwIfAborted()
    }
    const found = await this.#find(kind, person.key)
    signal.throwIfAborted()
    if (found === null) return this.#create(kind, person, signal)
    return (await this.#update(kind, found, person)) ?? deletedMeanwhile()
  }

  #bodyOf({ key, values }: CrmPerson): object {
    return { ...values, [this.#keyField]: key }
  }
}

const failed = (message: string): RowOutcome => ({ outcome: 'failed', message })
const deletedMeanwhile = () => failed('The record was deleted in EspoCRM during the push: push again')

const fieldAccessHint = (keyField: string) =>
  `The field-level security of the API user’s role must allow Read and Edit for ${keyField} (Administration > Roles > Field Level).`

const checkboxValues = new Map<unknown, boolean>([
  ...([true, 'true', 1, '1'] as const).map((value) => [value, true] as const),
  ...([false, 'false', 0, '0', null, ''] as const).map((value) => [value, false] as const),
])

/** Returns the values that EspoCRM's duplicate check compares by default (duplicateCheckFieldList). */
function nameAndAddress({ values }: CrmPerson): string[] {
  const { firstName, lastName, emailAddress } = values
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return [name, emailAddress].flatMap((text) =>
    typeof text === 'string' && text !== '' ? [folded(text)] : [],
  )
}

/** How much of a value is compared. Names and addresses are shorter. To normalize a long text takes quadratic time. */
const comparedMax = 255

/** Ignore case and accents, as MariaDB does. */
const folded = (text: string) =>
  text.slice(0, comparedMax).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

function duplicatesIn({ json }: EspoReply): Readonly<Record<string, unknown>>[] {
  return Array.isArray(json) ? json.map(membersOf) : []
}

function nameOf({ id, name, emailAddress }: Readonly<Record<string, unknown>>): string {
  const words = [name, emailAddress].filter((each) => typeof each === 'string' && each !== '')
  const shownId = typeof id === 'string' ? id : 'a record without an id'
  return words.length > 0 ? `${words.join(' <')}${words.length > 1 ? '>' : ''} (${shownId})` : shownId
}
