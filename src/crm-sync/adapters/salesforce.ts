import { setTimeout as delay } from 'node:timers/promises'
import { membersOf } from '../../platform/members.ts'
import type { OutboundRequest } from '../../platform/outbound/outbound.ts'
import { defaultFields } from '../field-map.ts'
import {
  type Adapter,
  type CrmField,
  type CrmKind,
  type CrmPerson,
  CrmSetupError,
  type RowOutcome,
  Unavailable,
} from './adapter.ts'
import { AskOnce } from './ask-once.ts'
import { type Account, accessOf, makeRedactor, type SalesforceAccess } from './salesforce-access.ts'
import {
  type DailyRequests,
  failureOf,
  type Redact,
  requireRequestsLeft,
  type SalesforceReply,
  sendRequest,
} from './salesforce-answers.ts'
import { fieldsOf, problemsOf, type SObject, sobjectOf } from './salesforce-objects.ts'
import { isTransient, nextRow, outcomeOf, rowOf, type UpsertedRow } from './salesforce-rows.ts'
import { toFieldTypes } from './salesforce-values.ts'

/**
 * The version Summer ’26, which every org has. Salesforce supports a version for three years or more
 * (developer.salesforce.com, API End-of-Life).
 */
const base = '/services/data/v67.0'

export type SalesforceOptions = Account & {
  /** The External ID field that stores Crosswalk's id of a person. */
  keyField: string
  /** Whether people whom duplicate rules refuse are created. */
  allowDuplicates: boolean
  /** The time limit of a batch in milliseconds. Triggers and flows of the org count. */
  timeoutMs?: number
  /** The wait before each retry of rows with a transient fault, in milliseconds. */
  waitsMs?: readonly number[]
}

const objectNames: Readonly<Record<CrmKind, string>> = { lead: 'Lead', contact: 'Contact' }
/**
 * If a batch has more new people than this, one of them is sent alone first, to see whether Salesforce keeps
 * Crosswalk's id.
 */
const unprobedMax = 10
const describeTimeoutMs = 25_000
/** The description of an object lists every field with all picklist values. */
const maxBytes = 20 * 1024 ** 2

const defaultTimeoutMs = 120_000
const defaultWaitsMs = [1_000, 3_000]

/** Salesforce with an app of the organization. Crosswalk's id is in an External ID field, by which Salesforce upserts. */
export class SalesforceAdapter implements Adapter {
  readonly batchSize = 200
  readonly #options: SalesforceOptions
  readonly #hide: Redact
  readonly #described = new AskOnce<CrmKind, SObject>()
  /** For each kind, whether Salesforce keeps Crosswalk's id. The first created record shows it. */
  readonly #probes = new Map<CrmKind, Promise<boolean>>()
  #usage: DailyRequests | undefined

  constructor(options: SalesforceOptions) {
    this.#options = options
    this.#hide = makeRedactor(options)
  }

  /** Duplicate rules do not compare records of one request, or of requests at the same time. */
  duplicateKeys({ values }: CrmPerson): string[] {
    return this.#options.allowDuplicates ? [] : addressOf(values)
  }

  async describe(kind: CrmKind): Promise<{ fields: CrmField[]; keyField: string }> {
    return { fields: fieldsOf(await this.#sobject(kind)), keyField: this.#options.keyField }
  }

  async problems(kind: CrmKind): Promise<string[]> {
    return problemsOf(await this.#sobject(kind), objectNames[kind], this.#options.keyField)
  }

  async upsert(kind: CrmKind, people: readonly CrmPerson[], signal: AbortSignal): Promise<RowOutcome[]> {
    signal.throwIfAborted()
    const rows = await this.#probeAndPut(kind, people, signal)
    const { keyField, allowDuplicates } = this.#options
    return rows.map((row) => outcomeOf(row, { keyField, allowDuplicates, hide: this.#hide }))
  }

  async #probeAndPut(
    kind: CrmKind,
    people: readonly CrmPerson[],
    signal: AbortSignal,
  ): Promise<UpsertedRow[]> {
    const isMany = people.length > unprobedMax
    const index = isMany ? people.findIndex(({ externalId }) => externalId === null) : -1
    const person = people[index]
    const first = person ? await this.#probe(kind, person, signal) : null
    if (first === null) return this.#putWithRetries(kind, people, signal)
    const rows = await this.#putWithRetries(kind, people.toSpliced(index, 1), signal)
    return rows.toSpliced(index, 0, first)
  }

  async #send(request: Omit<OutboundRequest, 'url'> & { path: string }): Promise<SalesforceReply> {
    const sendWith = ({ token, instanceUrl }: SalesforceAccess): Promise<SalesforceReply> =>
      sendRequest(this.#options, {
        ...request,
        url: `${instanceUrl}${base}${request.path}`,
        headers: { ...request.headers, authorization: `Bearer ${token}` },
        maxBytes,
        // The sign-in address is trusted. So requests to its origin need no check of the address.
        trusted: instanceUrl === new URL(this.#options.loginUrl).origin,
      })
    const access = await accessOf(this.#options)
    const first = await sendWith(access)
    // 401: the session has ended. The org's rules can end it at any time.
    const reply = first.status === 401 ? await sendWith(await accessOf(this.#options, access)) : first
    this.#usage = reply.usage ?? this.#usage
    return reply
  }

  async #read(kind: CrmKind): Promise<SObject> {
    const name = objectNames[kind]
    const path = `/sobjects/${name}/describe`
    const reply = await this.#send({ method: 'GET', path, timeoutMs: describeTimeoutMs })
    if (reply.status !== 200) throw failureOf(reply, name, this.#hide)
    return sobjectOf(reply.json)
  }

  #sobject(kind: CrmKind): Promise<SObject> {
    return this.#described.get(kind, () => this.#read(kind))
  }

  /** The types of all fields except the default ones, which are texts. */
  async #typesOf(kind: CrmKind, people: readonly CrmPerson[]): Promise<Map<string, string>> {
    const defaults = new Set(Object.values(defaultFields.salesforce[kind]))
    if (!people.some(({ values }) => Object.keys(values).some((name) => !defaults.has(name))))
      return new Map()
    const { fields } = await this.#sobject(kind)
    return new Map(fields.filter(({ name }) => !defaults.has(name)).map(({ name, type }) => [name, type]))
  }

  /** Upserts people once. The rows have the order of the people. */
  async #put(kind: CrmKind, people: readonly CrmPerson[]): Promise<UpsertedRow[]> {
    const types = await this.#typesOf(kind, people)
    const records = people.map(({ key, values }) =>
      toFieldTypes({ ...values, [this.#options.keyField]: key }, types),
    )
    const sent = records.filter((record) => 'values' in record)
    const rows =
      sent.length > 0
        ? await this.#putRecords(
            kind,
            sent.map(({ values }) => values),
          )
        : []
    const answered = rows.values()
    return records.map((record) => ('values' in record ? nextRow(answered) : record))
  }

  async #putRecords(kind: CrmKind, records: readonly object[]): Promise<UpsertedRow[]> {
    requireRequestsLeft(this.#usage)
    const name = objectNames[kind]
    const reply = await this.#send({
      method: 'PATCH',
      path: `/composite/sobjects/${name}/${encodeURIComponent(this.#options.keyField)}`,
      headers: {
        'content-type': 'application/json',
        ...(this.#options.allowDuplicates ? { 'sforce-duplicate-rule-header': 'allowSave=true' } : {}),
      },
      body: JSON.stringify({
        allOrNone: false,
        records: records.map((record) => ({ attributes: { type: name }, ...record })),
      }),
      timeoutMs: this.#options.timeoutMs ?? defaultTimeoutMs,
    })
    if (reply.status !== 200) throw failureOf(reply, name, this.#hide)
    const rows = Array.isArray(reply.json) ? reply.json.map(rowOf) : []
    if (rows.length !== records.length) throw new Unavailable('Salesforce’s answer is incomplete')
    return rows
  }

  /**
   * Reads created records back: a trigger or a flow can empty the field although Salesforce reports success.
   * @throws CrmSetupError that names a record without Crosswalk's id: each push would create its person again
   */
  async #requireKeys(
    kind: CrmKind,
    people: readonly CrmPerson[],
    rows: readonly UpsertedRow[],
  ): Promise<void> {
    const name = objectNames[kind]
    const created = people.flatMap(({ key }, index) => {
      const row = rows[index]
      return row && 'externalId' in row && row.isCreated ? [{ id: row.externalId, key }] : []
    })
    if (created.length === 0) return
    const reply = await this.#send({
      method: 'POST',
      path: `/composite/sobjects/${name}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ids: created.map(({ id }) => id), fields: ['Id', this.#options.keyField] }),
      timeoutMs: this.#options.timeoutMs ?? defaultTimeoutMs,
    })
    if (reply.status !== 200) throw failureOf(reply, name, this.#hide)
    const found = Array.isArray(reply.json) ? reply.json.map(membersOf) : []
    // A sharing rule can hide a record from its creator, so a missing row proves nothing.
    const keys = new Map(
      found.filter(({ Id }) => typeof Id === 'string').map((each) => [each.Id, each[this.#options.keyField]]),
    )
    const lost = created.find(({ id, key }) => keys.has(id) && keys.get(id) !== key)
    if (lost)
      throw new CrmSetupError(
        `Salesforce did not keep the Crosswalk id in ${name} ${lost.id}. Look for a flow, a trigger or a workflow rule that empties ${this.#options.keyField}. Then write ${lost.key} into the field of that record, or delete the record.`,
      )
  }

  async #putWithRetries(
    kind: CrmKind,
    people: readonly CrmPerson[],
    signal: AbortSignal,
  ): Promise<UpsertedRow[]> {
    const rows = await unlessAborted(this.#put(kind, people), signal)
    for (const waitMs of this.#options.waitsMs ?? defaultWaitsMs) {
      const again = people.flatMap((person, index) => (isTransient(rows[index]) ? [{ person, index }] : []))
      if (again.length === 0) break
      await delay(waitMs * (0.75 + Math.random() / 2), undefined, { signal })
      const retried = await unlessAborted(
        this.#put(
          kind,
          again.map(({ person }) => person),
        ),
        signal,
      )
      const answered = retried.values()
      for (const { index } of again) rows[index] = nextRow(answered)
    }
    await unlessAborted(this.#requireKeys(kind, people, rows), signal)
    return rows
  }

  /**
   * Sends the first new person alone. If Salesforce does not keep Crosswalk's id, the push has created only one
   * record without it.
   * @returns null if another batch has already sent a probe
   */
  async #probe(kind: CrmKind, person: CrmPerson, signal: AbortSignal): Promise<UpsertedRow | null> {
    const before = this.#probes.get(kind)
    const turn = (async () => {
      const isKept = await before?.catch((error) => {
        if (error instanceof CrmSetupError) throw error
        return false
      })
      if (isKept) return null
      const [row = null] = await this.#putWithRetries(kind, [person], signal)
      return row
    })()
    const isKept = turn.then((row) => row === null || ('externalId' in row && row.isCreated))
    this.#probes.set(kind, isKept)
    isKept.catch(() => {})
    return turn
  }
}

function addressOf({ Email: email }: CrmPerson['values']): string[] {
  return typeof email === 'string' && email !== '' ? [email.toLowerCase()] : []
}

/** Stops waiting when the signal aborts. The request itself continues. */
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
