/**
 * Does work for several callers at once. While one group runs, the items of further calls wait, and then form the next
 * group. So a single call does not wait, and many concurrent calls need few groups.
 */
export class Gather<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>
  #waiting: Item[] = []
  #running: Promise<unknown> | null = null
  #next: Promise<readonly Result[]> | null = null

  /** @param work returns a result for each item, in their order; if it throws, each call of the group throws that error */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#work = work
  }

  /** The result of `item`. */
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
