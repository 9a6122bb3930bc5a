/** Items that wait, each for an owner. The owners take turns, so that an owner with many items does not delay the others. */
export class FairQueue<Item> {
  /** The items of each owner, the oldest first. The owner whose turn is next comes first. */
  readonly #waiting = new Map<string, Item[]>()
  #size = 0

  /** The number of items of all owners. */
  get size(): number {
    return this.#size
  }

  /** The number of items of one owner. */
  sizeOf(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0
  }

  add(owner: string, item: Item): void {
    const own = this.#waiting.get(owner)
    if (own) own.push(item)
    else this.#waiting.set(owner, [item])
    this.#size += 1
  }

  /** Removes the oldest item of the owner whose turn it is, and moves the owner behind the others. */
  take(): Item | undefined {
    const next = this.#waiting.entries().next()
    if (next.done) return undefined
    const [owner, items] = next.value
    const item = items.shift()
    this.#waiting.delete(owner)
    if (items.length > 0) this.#waiting.set(owner, items)
    this.#size -= 1
    return item
  }

  /** The owner with the most items, or undefined if nothing waits. */
  largest(): string | undefined {
    let largest: string | undefined
    for (const owner of this.#waiting.keys())
      if (largest === undefined || this.sizeOf(owner) > this.sizeOf(largest)) largest = owner
    return largest
  }

  /** Removes the newest item of an owner. */
  takeNewestOf(owner: string): Item | undefined {
    const items = this.#waiting.get(owner)
    const item = items?.pop()
    if (item === undefined) return undefined
    if (items?.length === 0) this.#waiting.delete(owner)
    this.#size -= 1
    return item
  }
}
