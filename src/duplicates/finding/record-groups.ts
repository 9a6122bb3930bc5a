import { groupMost } from '../deciding/grouping.ts'
import { scannedKinds } from '../match-keys.ts'
import { matchSchemas, toMatchRecord } from '../match-record.ts'
import { groupRecords } from '../matcher/blocks.ts'
import { RecordSetBuilder } from '../matcher/record-set.ts'
import { scoringOf } from '../matcher/scoring.ts'
import { shippedModel } from '../matcher/shipped.ts'
import { likelyPairs } from './likely-pairs.ts'
import type { Found, Given } from './scan-worker.ts'

type Row = Record<string, unknown> & { record_id: string }

/** Which of an org's records may be the same: collects them in the order of their ids, and groups them. */
export class RecordGroups {
  readonly #given: Given
  readonly #builder: RecordSetBuilder
  readonly #ids: Buffer[] = []
  #size = 0

  constructor(given: Given) {
    this.#given = given
    this.#builder = new RecordSetBuilder(matchSchemas[given.entityType])
  }

  /** Takes the records of a page, JSON of their columns; how many they are. */
  add(page: string): number {
    const rows = JSON.parse(page) as Row[]
    const ids = Buffer.alloc(16 * rows.length)
    for (const [index, row] of rows.entries()) {
      ids.write(row.record_id.replaceAll('-', ''), 16 * index, 'hex')
      this.#builder.add(toMatchRecord(this.#given.entityType, row))
    }
    this.#ids.push(ids)
    this.#size += rows.length
    return rows.length
  }

  /**
   * Groups of records in which each may be the same as some other, in the order of their first members.
   * @param together pairs that are in one group whatever they have in common
   */
  async finish(together: readonly [string, string][], onShare: (share: number) => void): Promise<Found> {
    const { entityType, floor, threads } = this.#given
    const ids = Buffer.concat(this.#ids)
    this.#ids.length = 0
    const set = this.#builder.finish()
    const { kinds, table } = set
    const wanted = scannedKinds[entityType]
    const scanned = wanted
      ? kinds.flatMap((kind) => (kind.name in wanted ? [{ ...kind, most: wanted[kind.name]! }] : []))
      : kinds
    const candidates = { records: table.size, every: false, blocks: groupRecords(table, scanned) }
    const scoring = scoringOf(set, candidates, shippedModel(set.schema, entityType), floor)
    const { edges, pairs } = await likelyPairs(scoring, threads, onShare)
    const union = new Union(this.#size)
    const strays: string[][] = []
    for (const pair of together) {
      const [a, b] = pair.map((id) => placeOf(ids, this.#size, id))
      if (a! >= 0 && b! >= 0) union.join(a!, b!)
      else strays.push(pair)
    }
    const { a, b, weights } = edges
    const order = Uint32Array.from(weights, (_, edge) => edge).sort(
      (x, y) => weights[y]! - weights[x]! || a[x]! - a[y]! || b[x]! - b[y]!,
    )
    for (const edge of order) union.join(a[edge]!, b[edge]!)
    const groups = union.groups().map((group) => group.map((place) => idAt(ids, place)))
    return { groups: [...strays, ...groups], pairs }
  }
}

/** Brings places together, as many as decisions are made about at once: of more, what is heaviest comes together first. */
class Union {
  readonly #parents: Int32Array
  readonly #sizes: Uint8Array

  constructor(size: number) {
    this.#parents = new Int32Array(size).fill(-1)
    this.#sizes = new Uint8Array(size).fill(1)
  }

  join(one: number, other: number): void {
    const [a, b] = [this.#root(one), this.#root(other)]
    if (a === b || this.#sizes[a]! + this.#sizes[b]! > groupMost) return
    this.#parents[b] = a
    this.#sizes[a]! += this.#sizes[b]!
  }

  /** Those of two or more, each in order, in the order of their first members. */
  groups(): number[][] {
    const groups = new Map<number, number[]>()
    for (let place = 0; place < this.#parents.length; place++) {
      const root = this.#root(place)
      if (this.#sizes[root] === 1) continue
      const group = groups.get(root)
      if (group) group.push(place)
      else groups.set(root, [place])
    }
    return [...groups.values()]
  }

  #root(place: number): number {
    let root = place
    while (this.#parents[root]! >= 0) root = this.#parents[root]!
    for (let each = place; each !== root; ) {
      const next = this.#parents[each]!
      this.#parents[each] = root
      each = next
    }
    return root
  }
}

const idAt = (ids: Buffer, place: number): string => {
  const hex = ids.toString('hex', 16 * place, 16 * place + 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The place of an id among those that are in order; -1: it is not there. */
function placeOf(ids: Buffer, size: number, id: string): number {
  const wanted = Buffer.from(id.replaceAll('-', ''), 'hex')
  let [low, high] = [0, size]
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = ids.compare(wanted, 0, 16, 16 * middle, 16 * middle + 16)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle
  }
  return -1
}
