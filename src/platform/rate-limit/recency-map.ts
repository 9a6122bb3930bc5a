type Node<V> = { key: string; value: V; older: Node<V> | null; newer: Node<V> | null }

/**
 * A map that knows its least recently used key. Every operation is O(1). In a plain Map, finding the first key would
 * step over all deleted keys.
 */
export class RecencyMap<V> {
  readonly #nodes = new Map<string, Node<V>>()
  #oldestNode: Node<V> | null = null
  #newestNode: Node<V> | null = null

  get size(): number {
    return this.#nodes.size
  }

  get oldest(): V | undefined {
    return this.#oldestNode?.value
  }

  /** Returns the value of a key, and makes it the most recently used one. */
  use(key: string): V | undefined {
    const node = this.#nodes.get(key)
    if (node !== undefined && node !== this.#newestNode) {
      this.#unlink(node)
      this.#append(node)
    }
    return node?.value
  }

  /** Adds a key that is not in the map, as the most recently used one. */
  add(key: string, value: V): void {
    const node = { key, value, older: null, newer: null }
    this.#nodes.set(key, node)
    this.#append(node)
  }

  dropOldest(): void {
    if (this.#oldestNode === null) return
    this.#nodes.delete(this.#oldestNode.key)
    this.#unlink(this.#oldestNode)
  }

  #append(node: Node<V>): void {
    node.older = this.#newestNode
    node.newer = null
    if (this.#newestNode === null) this.#oldestNode = node
    else this.#newestNode.newer = node
    this.#newestNode = node
  }

  #unlink(node: Node<V>): void {
    if (node.older === null) this.#oldestNode = node.newer
    else node.older.newer = node.newer
    if (node.newer === null) this.#newestNode = node.older
    else node.newer.older = node.older
  }
}
