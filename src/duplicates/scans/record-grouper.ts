import { groupRecords } from '../../matching/blocks.ts'
import { defaultModel } from '../../matching/default-model.ts'
import { float64At, int32At, uint8At, uint32At } from '../../matching/element-at.ts'
import type { EntityType } from '../../matching/entity-type.ts'
import { scannedKinds } from '../../matching/match-keys.ts'
import { matchSchemas, toMatchRecord } from '../../matching/match-record.ts'
import { RecordSetBuilder } from '../../matching/record-set.ts'
import { scoringOf } from '../../matching/scoring.ts'
import { groupMax } from '../engine/grouping.ts'
import { likelyPairs } from './likely-pairs.ts'

export type GrouperOptions = {
  entityType: EntityType
  /**
   * The minimum weight of a pair, in bits. A lighter pair counts only if both records have a value that belongs to
   * one person or company.
   */
  floor: number
  threads: number
}

/** Groups of ids that may be duplicates, and the number of compared pairs. */
export type FoundGroups = { groups: string[][]; pairs: number }

type Row = Record<string, unknown> & { record_id: string }

/** Groups records that share a match key. Add the records in id order. */
export class RecordGrouper {
  readonly #options: GrouperOptions
  readonly #builder: RecordSetBuilder
  readonly #ids: Buffer[] = []
  #size = 0

  constructor(options: GrouperOptions) {
    this.#options = options
    this.#builder = new RecordSetBuilder(matchSchemas[options.entityType])
  }

  /**
   * @param page a JSON array of rows
   * @returns the number of records
   */
  add(page: string): number {
    const rows = JSON.parse(page) as Row[]
    const ids = Buffer.alloc(16 * rows.length)
    for (const [index, row] of rows.entries()) {
      ids.write(row.record_id.replaceAll('-', ''), 16 * index, 'hex')
      this.#builder.add(toMatchRecord(this.#options.entityType, row))
    }
    this.#ids.push(ids)
    this.#size += rows.length
    return rows.length
  }

  /**
   * Groups the records by their likely pairs, the heaviest first.
   * @param together pairs of ids that must share a group
   * @returns the groups in the order of their first members
   */
  async finish(
    together: readonly [string, string][],
    onShare: (share: number) => void,
  ): Promise<FoundGroups> {
    const { entityType, floor, threads } = this.#options
    const ids = Buffer.concat(this.#ids)
    this.#ids.length = 0
    const set = this.#builder.finish()
    const { kinds, table } = set
    const limits = scannedKinds[entityType]
    const scanned = limits
      ? kinds.flatMap((kind) => (kind.name in limits ? [{ ...kind, max: limits[kind.name] }] : []))
      : kinds
    const candidates = { records: table.size, every: false, blocks: groupRecords(table, scanned) }
    const scoring = scoringOf(set, candidates, defaultModel(set.schema, entityType), floor)
    const { edges, pairs } = await likelyPairs(scoring, threads, onShare)
    const union = new Union(this.#size)
    const strays: string[][] = []
    for (const [one, other] of together) {
      const [left, right] = [placeOf(ids, this.#size, one), placeOf(ids, this.#size, other)]
      if (left >= 0 && right >= 0) union.join(left, right)
      else strays.push([one, other])
    }
    const { a, b, weights } = edges
    // Sort indexes of edges, not objects: an org can have millions of edges.
    const order = Uint32Array.from(weights, (_, edge) => edge).sort(
      (x, y) =>
        float64At(weights, y) - float64At(weights, x) ||
        uint32At(a, x) - uint32At(a, y) ||
        uint32At(b, x) - uint32At(b, y),
    )
    for (const edge of order) union.join(uint32At(a, edge), uint32At(b, edge))
    const groups = union.groups().map((group) => group.map((place) => idAt(ids, place)))
    return { groups: [...strays, ...groups], pairs }
  }
}

/** Disjoint sets (union-find) of at most `groupMax` members each. */
class Union {
  readonly #parents: Int32Array
  readonly #sizes: Uint8Array

  constructor(size: number) {
    this.#parents = new Int32Array(size).fill(-1)
    this.#sizes = new Uint8Array(size).fill(1)
  }

  join(one: number, other: number): void {
    const [a, b] = [this.#root(one), this.#root(other)]
    const size = uint8At(this.#sizes, a) + uint8At(this.#sizes, b)
    if (a === b || size > groupMax) return
    this.#parents[b] = a
    this.#sizes[a] = size
  }

  /** The sets of two or more members, each sorted, in the order of their first members. */
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
    for (let parent = int32At(this.#parents, root); parent >= 0; parent = int32At(this.#parents, root))
      root = parent
    for (let each = place; each !== root; ) {
      const next = int32At(this.#parents, each)
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

/** Searches the sorted ids. Returns -1 if the id is missing. */
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
