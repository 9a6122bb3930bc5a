import { CommitUnknown } from '../platform/db/errors.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { currentTraceparent } from '../platform/tracing/trace.ts'
import type { FoundRecord } from './find.ts'
import type { Fields, RecordType } from './record-type.ts'
import { namesReference } from './references.ts'

/** The request must do its write in a transaction of its own. */
export const alone = 'alone'

export type JointOutcome = { value: FoundRecord } | { error: unknown } | typeof alone

type Writes<Input> = {
  /** Does several writes in few statements, and waits for no lock of a record. */
  jointly(tx: OrgTx, type: RecordType, inputs: readonly Input[]): Promise<JointOutcome[]>
  alone(tx: OrgTx, type: RecordType, input: Input): Promise<FoundRecord>
}

type Asked<Input> = { org: Org; input: Input; answer: (outcome: JointOutcome) => void }

/** The maximum number of records that one transaction writes for requests. */
const recordsMax = 50
/**
 * If a transaction takes longer than this, in milliseconds, the requests that wait for it get transactions of their own:
 * PostgreSQL may not answer it.
 */
const patienceMs = 1_000

/**
 * Writes records for requests. Writes of one author that wait at the same time share a transaction: its statements, its
 * totals and its commit then cost little for each. A write fails alone.
 */
export class JointWrites<Input extends { sent: Fields }> {
  readonly #writes: Writes<Input>
  /** For each author and record type with an open transaction, the requests that wait for the next one. */
  readonly #waiting = new Map<string, Asked<Input>[] | typeof alone>()

  constructor(writes: Writes<Input>) {
    this.#writes = writes
  }

  /** @throws ValidationError; DomainError; the errors of a transaction */
  async write(org: Org, type: RecordType, input: Input): Promise<FoundRecord> {
    const outcome = mayShare(org, type, input.sent) ? await this.#share(org, type, input) : alone
    if (outcome === alone) return org.transact((tx) => this.#writes.alone(tx, type, input))
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }

  #share(org: Org, type: RecordType, input: Input): Promise<JointOutcome> {
    const key = `${type.entity} ${JSON.stringify(org.actor)}`
    return new Promise((answer) => {
      const waiting = this.#waiting.get(key)
      if (waiting === alone) answer(alone)
      else if (waiting) waiting.push({ org, input, answer })
      else void this.#writeAll(key, type, { org, input, answer })
    })
  }

  /** Writes the first request, and then the requests that arrived during the write, until none waits. */
  async #writeAll(key: string, type: RecordType, first: Asked<Input>): Promise<void> {
    const waiting: Asked<Input>[] = []
    for (let group = [first]; group.length > 0; group = waiting.splice(0, recordsMax)) {
      this.#waiting.set(key, waiting)
      const giveUp = setTimeout(() => {
        this.#waiting.set(key, alone)
        for (const { answer } of waiting.splice(0)) answer(alone)
      }, patienceMs)
      const outcomes = await this.#run(type, group)
      clearTimeout(giveUp)
      for (const [index, { answer }] of group.entries()) answer(outcomes[index] ?? alone)
    }
    this.#waiting.delete(key)
  }

  async #run(type: RecordType, group: readonly Asked<Input>[]): Promise<JointOutcome[]> {
    const [first] = group
    if (!first) return []
    const inputs = group.map(({ input }) => input)
    try {
      return await first.org.transact((tx) => this.#writes.jointly(tx, type, inputs))
    } catch (error) {
      // Nobody knows whether a transaction took effect if its connection broke at COMMIT, so it is not done again.
      const isFinal = group.length === 1 || error instanceof CommitUnknown
      return group.map(() => (isFinal ? { error } : alone))
    }
  }
}

/**
 * Whether a write may share a transaction. A record that names another record, an owner or a defined field needs locks,
 * and all writes of the transaction would wait for these locks. (Every write of a deal locks the stages, so this lock
 * does not count.) A traced request gets its own transaction, which its trace shows.
 */
function mayShare(org: Org, type: RecordType, sent: Fields): boolean {
  const needsLocks =
    org.actor.recordAccess !== undefined ||
    sent.custom !== undefined ||
    sent.owner_id !== undefined ||
    sent.owner_email !== undefined ||
    (type.named && sent[type.named.member] !== undefined) ||
    namesReference(type, sent)
  return !needsLocks && !org.isInTransaction && currentTraceparent() === null
}
