/**
 * Joins the work of several callers. While one group runs, further items wait, and then form the next group. A single
 * call does not wait, and many concurrent calls need few groups.
 */
export class Batcher<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>
  #waiting: Item[] = []
  #running: Promise<unknown> | null = null
  #next: Promise<readonly Result[]> | null = null

  /** @param work returns a result for each item, in order. If it throws, every call of the group throws that error */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#work = work
  }

  /** Returns the result for `item`. */
  async add(item: Item): Promise<Result> {
    const place = this.#waiting.push(item) - 1
    this.#next ??= this.#begin()
    return (await this.#next)[place]!
  }

  async #begin(): Promise<readonly Result[]> {
    await this.#running
    const items = this.#waiting
    this.#waiting = []
    this.#next = null
    const results = this.#work(items)
    this.#running = results.catch(() => {})
    return results
  }
}
