import { setTimeout as delay } from 'node:timers/promises'
import { membersOf, shorten } from '../../platform/outbound/answers.ts'
import type { OutboundRequest } from '../../platform/outbound/outbound.ts'
import { usualFields } from '../field-map.ts'
import {
  type Adapter,
  type CrmField,
  type Kind,
  type Person,
  type RowOutcome,
  Unavailable,
  Unusable,
} from './adapter.ts'
import { type Access, type Account, accessOf, hiding } from './salesforce-access.ts'
import {
  ask,
  type Fault,
  failureOf,
  faultsOf,
  type Reply,
  requireRoom,
  type Usage,
} from './salesforce-answers.ts'
import { fieldsOf, problemsOf, type SObject, sobjectOf } from './salesforce-objects.ts'
import { typed } from './salesforce-values.ts'

/** Summer ’26, which every org has; versions are served for three years at least (developer.salesforce.com, API End-of-Life). */
const base = '/services/data/v67.0'

export type SalesforceOptions = Account & {
  /** The External ID field that keeps our id of a person. */
  keyField: string
  /** Whether people are created whom duplicate rules hold for others. */
  allowDuplicates: boolean
  /** Milliseconds for a batch; triggers and flows of the org run within it. */
  timeoutMs?: number
  /** Milliseconds before each further try of rows that may be taken a moment later. */
  waitsMs?: readonly number[]
}

const objectNames: Readonly<Record<Kind, string>> = { lead: 'Lead', contact: 'Contact' }
/** A batch of so few people is sent without a probe: it cannot leave many records without our id. */
const unprobedMost = 10
const describeTimeoutMs = 30_000
/** Descriptions hold every field with its picklist, those of duplicates the records that match. */
const maxBytes = 20 * 1024 ** 2

/** What became of a record; `Fault`: what Salesforce says against it. */
type Row = { externalId: string; isCreated: boolean } | { fault: Fault }

/**
 * Salesforce’s REST API with one connection’s credentials: sObject Describe, and upserts of sObject Collections
 * (developer.salesforce.com, resources_composite_sobjects_collections_upsert), which Salesforce itself keeps from creating
 * anybody twice: it looks our id up in a unique External ID field.
 */
export function salesforceAdapter(options: SalesforceOptions): Adapter {
  const { outbound, loginUrl, keyField, allowDuplicates, timeoutMs = 120_000 } = options
  const { waitsMs = [1_000, 3_000] } = options
  const hide = hiding(options)
  const described = new Map<Kind, Promise<SObject>>()
  let usage: Usage | undefined
  /** Settles once the first created record of a kind has shown whether Salesforce keeps our id. */
  const probes = new Map<Kind, Promise<boolean>>()

  async function send(request: Omit<OutboundRequest, 'url'> & { path: string }): Promise<Reply> {
    const sendWith = ({ token, instanceUrl }: Access): Promise<Reply> =>
      ask(outbound, {
        ...request,
        url: `${instanceUrl}${base}${request.path}`,
        headers: { ...request.headers, authorization: `Bearer ${token}` },
        maxBytes,
        // Who may be asked for access may be asked with it.
        trusted: instanceUrl === new URL(loginUrl).origin,
      })
    const access = await accessOf(options)
    const first = await sendWith(access)
    // Sessions end by the org’s own rules, and nothing says when.
    const reply = first.status === 401 ? await sendWith(await accessOf(options, access)) : first
    usage = reply.usage ?? usage
    return reply
  }

  async function read(kind: Kind): Promise<SObject> {
    const name = objectNames[kind]
    const path = `/sobjects/${name}/describe`
    const reply = await send({ method: 'GET', path, timeoutMs: describeTimeoutMs })
    if (reply.status !== 200) throw failureOf(reply, name, hide)
    return sobjectOf(reply.json)
  }

  function sobject(kind: Kind): Promise<SObject> {
    const known = described.get(kind) ?? read(kind)
    described.set(kind, known)
    known.catch(() => described.delete(kind))
    return known
  }

  /** The types of fields that are none of those that everybody has: these are texts, and need no question. */
  async function typesOf(kind: Kind, people: readonly Person[]): Promise<Map<string, string>> {
    const usual = new Set(Object.values(usualFields.salesforce[kind]))
    if (!people.some(({ values }) => Object.keys(values).some((name) => !usual.has(name)))) return new Map()
    const { fields } = await sobject(kind)
    return new Map(fields.filter(({ name }) => !usual.has(name)).map(({ name, type }) => [name, type]))
  }

  /** What became of each, in their order. */
  async function put(kind: Kind, people: readonly Person[]): Promise<Row[]> {
    const types = await typesOf(kind, people)
    const records = people.map(({ key, values }) => typed({ ...values, [keyField]: key }, types))
    const sent = records.filter((record) => 'values' in record)
    const rows =
      sent.length > 0
        ? await putRecords(
            kind,
            sent.map(({ values }) => values),
          )
        : []
    return records.map((record) => ('values' in record ? rows.shift()! : record))
  }

  async function putRecords(kind: Kind, records: readonly object[]): Promise<Row[]> {
    requireRoom(usage)
    const name = objectNames[kind]
    const reply = await send({
      method: 'PATCH',
      path: `/composite/sobjects/${name}/${encodeURIComponent(keyField)}`,
      headers: {
        'content-type': 'application/json',
        ...(allowDuplicates ? { 'sforce-duplicate-rule-header': 'allowSave=true' } : {}),
      },
      body: JSON.stringify({
        allOrNone: false,
        records: records.map((record) => ({ attributes: { type: name }, ...record })),
      }),
      timeoutMs,
    })
    if (reply.status !== 200) throw failureOf(reply, name, hide)
    const rows = Array.isArray(reply.json) ? reply.json.map(rowOf) : []
    if (rows.length !== records.length) throw new Unavailable('Salesforce’s answer is not whole')
    return rows
  }

  /**
   * Reads created records back: a trigger or a flow may empty our field, although Salesforce answers with success.
   * @throws Unusable that names a record without our id: each push would create its person again
   */
  async function requireKeys(kind: Kind, people: readonly Person[], rows: readonly Row[]): Promise<void> {
    const name = objectNames[kind]
    const created = rows.flatMap((row, index) =>
      'externalId' in row && row.isCreated ? [{ id: row.externalId, key: people[index]!.key }] : [],
    )
    if (created.length === 0) return
    const reply = await send({
      method: 'POST',
      path: `/composite/sobjects/${name}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ids: created.map(({ id }) => id), fields: ['Id', keyField] }),
      timeoutMs,
    })
    if (reply.status !== 200) throw failureOf(reply, name, hide)
    const found = Array.isArray(reply.json) ? reply.json.map(membersOf) : []
    // A sharing rule may hide a record from its creator. It then says nothing about our id.
    const keys = new Map(
      found.filter(({ Id }) => typeof Id === 'string').map((each) => [each.Id, each[keyField]]),
    )
    const lost = created.find(({ id, key }) => keys.has(id) && keys.get(id) !== key)
    if (lost)
      throw new Unusable(
        `Salesforce did not keep our id in ${name} ${lost.id}. Look for a flow, a trigger or a workflow rule that empties ${keyField}. Then write ${lost.key} into the field of that record, or delete the record.`,
      )
  }

  /** What became of each, in their order. Rows that may succeed a moment later are sent again. */
  async function putWithRetries(kind: Kind, people: readonly Person[], signal: AbortSignal): Promise<Row[]> {
    const rows = await unlessAborted(put(kind, people), signal)
    for (const waitMs of waitsMs) {
      const again = rows.flatMap((row, index) =>
        'fault' in row && passing.has(row.fault.code) ? [index] : [],
      )
      if (again.length === 0) break
      await delay(waitMs * (0.75 + Math.random() / 2), undefined, { signal })
      const picked = again.map((index) => people[index]!)
      const answered = await unlessAborted(put(kind, picked), signal)
      for (const [at, row] of answered.entries()) rows[again[at]!] = row
    }
    await unlessAborted(requireKeys(kind, people, rows), signal)
    return rows
  }

  /**
   * Sends the first new person alone. If Salesforce does not keep our id, a push leaves one record without it, not
   * hundreds. Null: another batch did so.
   */
  async function probe(kind: Kind, person: Person, signal: AbortSignal): Promise<Row | null> {
    const before = probes.get(kind)
    const turn = (async () => {
      const isKept = await before?.catch((error) => {
        if (error instanceof Unusable) throw error
        return false
      })
      if (isKept) return null
      const [row = null] = await putWithRetries(kind, [person], signal)
      return row
    })()
    const isKept = turn.then((row) => row === null || ('externalId' in row && row.isCreated))
    probes.set(kind, isKept)
    isKept.catch(() => {})
    return turn
  }

  function outcomeOf(row: Row): RowOutcome {
    if ('fault' in row)
      return { outcome: 'failed', message: wordsOf(row.fault), isDuplicate: duplicates.has(row.fault.code) }
    return { outcome: row.isCreated ? 'created' : 'updated', externalId: row.externalId }
  }

  function wordsOf({ code, message, fields }: Fault): string {
    const unnamed = fields.filter((field) => !message.includes(field))
    const about = unnamed.length > 0 ? ` (${unnamed.join(', ')})` : ''
    const isKey = code === 'DUPLICATE_VALUE' && message.includes(keyField)
    const hint = isKey ? keyTaken : code === 'DUPLICATES_DETECTED' ? duplicate(allowDuplicates) : hints[code]
    return shorten(
      hide(`${message || code || 'Salesforce refused it, and did not say why'}${about}${hint ?? ''}`),
    )
  }

  return {
    batchSize: 200,
    // Duplicate rules do not compare the records of one request, nor those of requests that are under way together.
    likenesses: allowDuplicates ? () => [] : ({ values }) => addressOf(values),
    async describe(kind: Kind): Promise<{ fields: CrmField[]; keyField: string }> {
      return { fields: fieldsOf(await sobject(kind)), keyField }
    },
    problems: async (kind: Kind) => problemsOf(await sobject(kind), objectNames[kind], keyField),
    async upsert(kind: Kind, people: readonly Person[], signal: AbortSignal): Promise<RowOutcome[]> {
      signal.throwIfAborted()
      const isMany = people.length > unprobedMost
      const index = isMany ? people.findIndex(({ externalId }) => externalId === null) : -1
      const first = index < 0 ? null : await probe(kind, people[index]!, signal)
      if (first === null) return (await putWithRetries(kind, people, signal)).map(outcomeOf)
      const others = people.toSpliced(index, 1)
      const rows = await putWithRetries(kind, others, signal)
      return rows.toSpliced(index, 0, first).map(outcomeOf)
    },
  }
}

/**
 * What may be over a moment later, so that these rows are sent again: the record is being changed or deleted by somebody
 * else, or was created by a request of ours whose answer was lost, and that was still at work: upserts look a record up before they
 * lock anything (salesforce.stackexchange.com/questions/197382).
 */
const passing = new Set(['UNABLE_TO_LOCK_ROW', 'DUPLICATE_VALUE', 'ENTITY_IS_DELETED'])

/** A duplicate rule, or a field that is unique in Salesforce. */
const duplicates = new Set(['DUPLICATES_DETECTED', 'DUPLICATE_VALUE'])

const keyTaken = ': a record has this id already that the user of the connection may not see or change'
const duplicate = (isAllowed: boolean) =>
  isAllowed
    ? ': a duplicate rule of Salesforce’s blocks it, which settings.allow_duplicates does not change'
    : ': Salesforce holds this person for one that it has; merge them there, or set settings.allow_duplicates'
const hints: Readonly<Record<string, string>> = {
  UNABLE_TO_LOCK_ROW: ': somebody else was changing it, also when it was tried again: retry the job',
  CANNOT_UPDATE_CONVERTED_LEAD: ': this Lead was converted in Salesforce, and does not change any more',
  INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST: ': the field takes none but the values of its list',
}

/** `{id, success, created, errors}` */
function rowOf(value: unknown): Row {
  const { id, success, created, errors } = membersOf(value)
  if (success === true && typeof id === 'string') return { externalId: id, isCreated: created === true }
  const [first = { code: '', message: '', fields: [] }, ...others] = faultsOf(errors)
  const message = [first, ...others].map((fault) => fault.message).filter(Boolean)
  return {
    fault: { ...first, message: message.join('; '), fields: [first, ...others].flatMap((f) => f.fields) },
  }
}

function addressOf({ Email: email }: Person['values']): string[] {
  return typeof email === 'string' && email !== '' ? [email.toLowerCase()] : []
}

/** What is asked goes on, and nobody waits for it any more once the signal says so. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    if (signal.aborted) onAbort()
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
    work.catch(() => {})
    aborted.promise.catch(() => {})
  }
}
