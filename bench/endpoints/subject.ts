import { randomInt } from 'node:crypto'
import { type Filled, idOf } from '../support/fill.ts'
import type { Process } from '../support/installation.ts'

/** The ids of each kind of object: ids from before this run, and ids that this run created. */
export class Pools {
  readonly size: number
  readonly #made = new Map<string, string[]>()
  #uses = 0

  constructor(size: number) {
    this.size = size
  }

  /** The id of a random object from the filling. */
  some(kind: Parameters<typeof idOf>[0], count = this.size): string {
    return idOf(kind, randomInt(count))
  }

  put(pool: string, id: string): void {
    const ids = this.#made.get(pool)
    if (ids) ids.push(id)
    else this.#made.set(pool, [id])
  }

  /** Returns an id and removes it from the pool; null if the pool is empty. */
  take(pool: string): string | null {
    return this.#made.get(pool)?.shift() ?? null
  }

  peek(pool: string): string | null {
    const ids = this.#made.get(pool) ?? []
    return ids[this.#uses++ % ids.length] ?? null
  }
}

/** An org to measure, with the pools for its requests and the statements of the bare handler. */
export type Subject = Filled & { url: string; agencyToken: string; pools: Pools; bare: Process }
