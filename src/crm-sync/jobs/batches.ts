import type { Adapter, CrmPerson } from '../adapters/adapter.ts'

/**
 * The people to send, in batches. People whom the CRM's duplicate rules may match are not sent at the same time: the
 * CRM would miss the match, and create two records.
 */
export class Batches<One extends CrmPerson> {
  readonly #batchSize: number
  readonly #duplicateKeysOf: (person: CrmPerson) => readonly string[]
  readonly #waiting: One[]
  readonly #underWay = new Set<string>()

  constructor(adapter: Pick<Adapter, 'batchSize' | 'duplicateKeys'>, people: readonly One[]) {
    this.#batchSize = adapter.batchSize
    this.#duplicateKeysOf = (person) => adapter.duplicateKeys(person)
    this.#waiting = [...people]
  }

  /** The next batch; null if nobody can be sent before a running batch ends. */
  take(): One[] | null {
    const batch: One[] = []
    const blocked: One[] = []
    while (batch.length < this.#batchSize) {
      const person = this.#waiting.shift()
      if (person === undefined) break
      const keys = this.#duplicateKeysOf(person)
      if (keys.some((key) => this.#underWay.has(key))) {
        blocked.push(person)
        continue
      }
      for (const key of keys) this.#underWay.add(key)
      batch.push(person)
    }
    this.#waiting.unshift(...blocked)
    return batch.length > 0 ? batch : null
  }

  /** Records that the CRM has answered for a batch. People who may match its people can then be sent. */
  answered(batch: readonly One[]): void {
    for (const key of batch.flatMap((person) => this.#duplicateKeysOf(person))) this.#underWay.delete(key)
  }
}
