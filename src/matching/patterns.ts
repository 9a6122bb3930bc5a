import { blankLevel } from './compare.ts'
import { addAt, itemAt, numberAt, uint8At } from './element-at.ts'
import type { LevelWeights } from './weigh.ts'

/** Counts pairs by the levels of their fields. Millions of pairs have a few hundred patterns. */
export class Patterns {
  /** The number of fields. */
  readonly width: number
  #places = new Map<string, number>()
  /** The levels of pattern `p` begin at `p * width`. */
  levels = new Uint8Array(0)
  counts: number[] = []
  total = 0

  constructor(width: number) {
    this.width = width
  }

  get size(): number {
    return this.counts.length
  }

  /** Counts one pair. Its levels may change afterwards. */
  add(levels: Uint8Array): void {
    this.total += 1
    const name = String.fromCharCode(...levels)
    const place = this.#places.get(name)
    if (place !== undefined) {
      this.counts[place] = numberAt(this.counts, place) + 1
      return
    }
    const at = this.counts.push(1) - 1
    this.#places.set(name, at)
    if ((at + 1) * this.width > this.levels.length) {
      const wider = new Uint8Array(Math.max(64 * this.width, this.levels.length * 2))
      wider.set(this.levels)
      this.levels = wider
    }
    this.levels.set(levels, at * this.width)
  }

  /** The odds of pattern `p`, without the fields of `left`. */
  odds(p: number, weights: LevelWeights, left: ReadonlySet<number> | null): number {
    let bits = 0
    const from = p * this.width
    for (let field = 0; field < this.width; field += 1) {
      if (this.levels[from + field] === blankLevel || left?.has(field)) continue
      bits += weights.bits(field, this.levels, from)
    }
    return 2 ** bits
  }

  /** Adds `amount` to each level of pattern `p`. */
  addTo(counts: readonly Float64Array[], p: number, amount: number): void {
    const from = p * this.width
    for (let field = 0; field < this.width; field += 1) {
      const level = uint8At(this.levels, from + field)
      if (level !== blankLevel) addAt(itemAt(counts, field), level, amount)
    }
  }
}
