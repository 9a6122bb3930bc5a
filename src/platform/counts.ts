/** Counts by key. A key without a count uses no memory. */
export class Counts {
  readonly #counts = new Map<string, number>()

  /** The count of `key`; 0 if there is none. */
  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** Changes the count of `key` by `by`. A count is never below 0. */
  add(key: string, by: number): void {
    const count = this.of(key) + by
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }

  /** The keys whose count is above 0, with their counts. */
  entries(): Iterable<[string, number]> {
    return this.#counts.entries()
  }
}
