type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Joins the work of several callers. While one group runs, further items wait, and then form the next group. A single
 * call does not wait, and many concurrent calls need few groups.
 */
export class Batcher<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #most: number
  readonly #waiting: Waiting<Item, Result>[] = []
  #isRunning = false

  /**
   * @param work returns a result for each item, in order. If it throws, every call of the group throws that error
   * @param most the maximum number of items of a group
   */
  constructor(
    work: (items: readonly Item[]) => Promise<readonly Result[]>,
    most: number = Number.POSITIVE_INFINITY,
  ) {
    this.#work = work
    this.#most = most
  }

  /** Returns the result for `item`. */
  add(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#waiting.push({ item, resolve, reject })
    if (!this.#isRunning) void this.#run()
    return promise
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    // Calls of the same moment join the first group.
    await null
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#most)
      try {
        const results = await this.#work(group.map(({ item }) => item))
        group.forEach(({ resolve }, at) => void resolve(results[at]!))
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    this.#isRunning = false
  }
}
