import type { Adapter, Person } from '../adapters/adapter.ts'

/**
 * People to send, in batches. People whom the CRM's duplicate rules may match are never in one batch, nor in batches that
 * are under way together: both would become records.
 */
export class Queue<One extends Person> {
  readonly #batchSize: number
  readonly #likenessesOf: (person: Person) => readonly string[]
  readonly #waiting: One[]
  readonly #underWay = new Set<string>()

  constructor(
    { batchSize, likenesses = () => [] }: Pick<Adapter, 'batchSize' | 'likenesses'>,
    people: readonly One[],
  ) {
    this.#batchSize = batchSize
    this.#likenessesOf = likenesses
    this.#waiting = [...people]
  }

  /** The next batch; null: everybody was taken, or waits for a batch under way, whose sender takes them after it. */
  take(): One[] | null {
    const batch: One[] = []
    for (let at = 0; at < this.#waiting.length && batch.length < this.#batchSize; ) {
      const likenesses = this.#likenessesOf(this.#waiting[at]!)
      if (likenesses.some((likeness) => this.#underWay.has(likeness))) {
        at++
        continue
      }
      for (const likeness of likenesses) this.#underWay.add(likeness)
      batch.push(...this.#waiting.splice(at, 1))
    }
    return batch.length > 0 ? batch : null
  }

  /** Notes that the CRM answered for a batch. */
  answered(batch: readonly One[]): void {
    for (const likeness of batch.flatMap((person) => this.#likenessesOf(person)))
      this.#underWay.delete(likeness)
  }
}
