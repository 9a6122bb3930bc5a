import { type FeatureTable, sharedUint32 } from './feature-table.ts'
import { hashed } from './hash.ts'
import type { KeyKind } from './keys.ts'
import { TokenHashes } from './token-hashes.ts'

/** A key that more records share is no evidence that any two of them are the same: info@, a switchboard. */
export const blockMost = 30

/** Sets of 2 to 30 records that share a key, in memory that threads share. */
export type Blocks = {
  size: number
  /** Block `b` has the records `members[starts[b]]` to `members[starts[b + 1] - 1]`, ascending. */
  starts: Uint32Array
  members: Uint32Array
  /** The blocks that record `r` is in are `blocksOf[firstOf[r]]` to `blocksOf[firstOf[r + 1] - 1]`, ascending. */
  firstOf: Uint32Array
  blocksOf: Uint32Array
  /** Block `b` is of the last kind `k` of keys with `kindStarts[k] <= b`. */
  kindStarts: number[]
}

/**
 * Groups the records of a table by their match keys, kind after kind. Memory: some 30 bytes a record while a kind is
 * grouped, and 8 for each record of each block.
 */
export function groupRecords(table: FeatureTable, kinds: readonly KeyKind[]): Blocks {
  const starts = new GrowingList()
  const members = new GrowingList()
  const hashes = new TokenHashes(table)
  starts.push(0)
  const kindStarts = kinds.map((kind) => {
    const before = starts.length - 1
    groupByKind(kind, hashes, starts, members)
    return before
  })
  const size = starts.length - 1
  return { size, ...invert(table.size, starts.toShared(), members.toShared()), kindStarts }
}

function groupByKind(kind: KeyKind, hashes: TokenHashes, starts: GrowingList, members: GrowingList): void {
  const most = kind.most ?? blockMost
  const records = new GrowingList()
  const highs = new GrowingList()
  const lows = new GrowingList()
  hashes.forEachKey(kind, (record) => {
    records.push(record)
    highs.push(hashed[0]!)
    lows.push(hashed[1]!)
  })
  // Open addressing; a slot has the number of an entry plus one, and chains run through the entries of one key.
  const mask = 2 ** Math.ceil(Math.log2(records.length * 1.5 + 2)) - 1
  const slots = new Uint32Array(mask + 1)
  const leader = new Uint32Array(records.length)
  const counts = new Uint32Array(records.length)
  const latest = new Uint32Array(records.length)
  for (let entry = 0; entry < records.length; entry += 1) {
    const high = highs.at(entry)
    const low = lows.at(entry)
    let slot = (low ^ high) & mask
    let first = slots[slot]!
    while (first !== 0 && (lows.at(first - 1) !== low || highs.at(first - 1) !== high)) {
      slot = (slot + 1) & mask
      first = slots[slot]!
    }
    if (first === 0) first = slots[slot] = entry + 1
    leader[entry] = first - 1
    // A record with two values of one key is one record.
    if (latest[first - 1] === records.at(entry) + 1) leader[entry] = nobody
    else {
      counts[first - 1]! += 1
      latest[first - 1] = records.at(entry) + 1
    }
  }
  // From here on, where the next member of a group goes.
  const next = latest
  for (let entry = 0; entry < records.length; entry += 1) {
    const count = counts[entry]!
    if (count < 2 || count > most) continue
    next[entry] = members.length
    members.skip(count)
    starts.push(members.length)
  }
  for (let entry = 0; entry < records.length; entry += 1) {
    const group = leader[entry]!
    if (group === nobody || counts[group]! < 2 || counts[group]! > most) continue
    members.set(next[group]!, records.at(entry))
    next[group]! += 1
  }
}

const nobody = 0xffffffff

/** Adds for each record the blocks that it is in. */
function invert(records: number, starts: Uint32Array, members: Uint32Array) {
  const firstOf = sharedUint32(records + 1)
  for (let at = 0; at < members.length; at += 1) firstOf[members[at]! + 1]! += 1
  for (let record = 0; record < records; record += 1) firstOf[record + 1]! += firstOf[record]!
  const next = new Uint32Array(firstOf)
  const blocksOf = sharedUint32(members.length)
  for (let block = 0; block + 1 < starts.length; block += 1) {
    for (let at = starts[block]!; at < starts[block + 1]!; at += 1) blocksOf[next[members[at]!]!++] = block
  }
  return { starts, members, firstOf, blocksOf }
}

/** Calls back with each pair of records that shares a block from `from` to `to` − 1, unless an earlier block has it. */
export function forEachPair(
  blocks: Blocks,
  from: number,
  to: number,
  take: (a: number, b: number) => void,
): void {
  const { starts, members } = blocks
  for (let block = from; block < to; block += 1) {
    const end = starts[block + 1]!
    for (let i = starts[block]!; i < end; i += 1) {
      for (let j = i + 1; j < end; j += 1) {
        if (firstCommonBlock(blocks, members[i]!, members[j]!) === block) take(members[i]!, members[j]!)
      }
    }
  }
}

function firstCommonBlock({ firstOf, blocksOf }: Blocks, a: number, b: number): number {
  let i = firstOf[a]!
  let j = firstOf[b]!
  let left = blocksOf[i]!
  let right = blocksOf[j]!
  while (left !== right) {
    if (left < right) left = blocksOf[++i]!
    else right = blocksOf[++j]!
  }
  return left
}

/** How many pairs the blocks hold before repeated ones are left out: what work there is. */
export function pairsWithin({ starts }: Blocks, from: number, to: number): number {
  let pairs = 0
  for (let block = from; block < to; block += 1) {
    const count = starts[block + 1]! - starts[block]!
    pairs += (count * (count - 1)) / 2
  }
  return pairs
}

/** A list of unsigned 32-bit integers, 4 to 8 bytes each. */
class GrowingList {
  #items = new Uint32Array(1024)
  length = 0

  push(item: number): void {
    if (this.length === this.#items.length) this.#grow(this.length + 1)
    this.#items[this.length++] = item
  }

  skip(count: number): void {
    if (this.length + count > this.#items.length) this.#grow(this.length + count)
    this.length += count
  }

  at(index: number): number {
    return this.#items[index]!
  }

  set(index: number, item: number): void {
    this.#items[index] = item
  }

  toShared(): Uint32Array {
    const shared = sharedUint32(this.length)
    shared.set(this.#items.subarray(0, this.length))
    return shared
  }

  #grow(least: number): void {
    const wider = new Uint32Array(Math.max(least, this.#items.length * 2))
    wider.set(this.#items)
    this.#items = wider
  }
}
