import { uint32At } from './element-at.ts'
import { type FeatureTable, sharedUint32 } from './feature-table.ts'
import { hashOutput } from './hash.ts'
import type { KeyKind } from './key-kinds.ts'
import { TokenHashes } from './token-hashes.ts'

/** A key with more records is ignored: it may be an info@ address or the number of a switchboard. */
export const blockMax = 30

/** Sets of 2 to 30 records that share a key, in memory that threads share. */
export type Blocks = {
  size: number
  /** Block `b` has the records `members[starts[b]]` to `members[starts[b + 1] - 1]`, ascending. */
  starts: Uint32Array
  members: Uint32Array
  /** The blocks of record `r` are `blocksOf[firstOf[r]]` to `blocksOf[firstOf[r + 1] - 1]`, ascending. */
  firstOf: Uint32Array
  blocksOf: Uint32Array
  /** The kind of block `b` is the last kind `k` with `kindStarts[k] <= b`. */
  kindStarts: number[]
}

/**
 * Groups the records by their match keys, one kind after the other. Needs about 30 bytes per record while it
 * groups by one kind, and 8 bytes for each record of each block.
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
  return { size, ...withBlocksOfRecords(table.size, starts.toShared(), members.toShared()), kindStarts }
}

function groupByKind(kind: KeyKind, hashes: TokenHashes, starts: GrowingList, members: GrowingList): void {
  const max = kind.max ?? blockMax
  const records = new GrowingList()
  const highs = new GrowingList()
  const lows = new GrowingList()
  hashes.forEachKey(kind, (record) => {
    records.push(record)
    highs.push(uint32At(hashOutput, 0))
    lows.push(uint32At(hashOutput, 1))
  })
  // A hash table with open addressing. A slot has the number of an entry plus 1; 0: the slot is empty.
  const mask = 2 ** Math.ceil(Math.log2(records.length * 1.5 + 2)) - 1
  const slots = new Uint32Array(mask + 1)
  const leader = new Uint32Array(records.length)
  const counts = new Uint32Array(records.length)
  const latest = new Uint32Array(records.length)
  for (let entry = 0; entry < records.length; entry += 1) {
    const high = highs.at(entry)
    const low = lows.at(entry)
    let slot = (low ^ high) & mask
    let first = uint32At(slots, slot)
    while (first !== 0 && (lows.at(first - 1) !== low || highs.at(first - 1) !== high)) {
      slot = (slot + 1) & mask
      first = uint32At(slots, slot)
    }
    if (first === 0) first = slots[slot] = entry + 1
    leader[entry] = first - 1
    // A record with two equal keys counts once.
    if (latest[first - 1] === records.at(entry) + 1) leader[entry] = nobody
    else {
      counts[first - 1] = uint32At(counts, first - 1) + 1
      latest[first - 1] = records.at(entry) + 1
    }
  }
  // Reuse the array: from here on, it stores the index of each group's next member.
  const next = latest
  for (let entry = 0; entry < records.length; entry += 1) {
    const count = uint32At(counts, entry)
    if (count < 2 || count > max) continue
    next[entry] = members.length
    members.skip(count)
    starts.push(members.length)
  }
  for (let entry = 0; entry < records.length; entry += 1) {
    const group = uint32At(leader, entry)
    if (group === nobody || uint32At(counts, group) < 2 || uint32At(counts, group) > max) continue
    members.set(uint32At(next, group), records.at(entry))
    next[group] = uint32At(next, group) + 1
  }
}

const nobody = 0xffffffff

function withBlocksOfRecords(records: number, starts: Uint32Array, members: Uint32Array) {
  const firstOf = sharedUint32(records + 1)
  for (const member of members) firstOf[member + 1] = uint32At(firstOf, member + 1) + 1
  for (let record = 0; record < records; record += 1)
    firstOf[record + 1] = uint32At(firstOf, record + 1) + uint32At(firstOf, record)
  const next = new Uint32Array(firstOf)
  const blocksOf = sharedUint32(members.length)
  for (let block = 0; block + 1 < starts.length; block += 1) {
    const end = uint32At(starts, block + 1)
    for (let at = uint32At(starts, block); at < end; at += 1) {
      const record = uint32At(members, at)
      const place = uint32At(next, record)
      blocksOf[place] = block
      next[record] = place + 1
    }
  }
  return { starts, members, firstOf, blocksOf }
}

/** Passes each pair of the blocks `from` to `to` − 1. A pair in several blocks is passed only for its first block. */
export function forEachPair(
  blocks: Blocks,
  from: number,
  to: number,
  take: (a: number, b: number) => void,
): void {
  const { starts, members } = blocks
  for (let block = from; block < to; block += 1) {
    const end = uint32At(starts, block + 1)
    for (let i = uint32At(starts, block); i < end; i += 1) {
      for (let j = i + 1; j < end; j += 1) {
        if (firstCommonBlock(blocks, uint32At(members, i), uint32At(members, j)) === block)
          take(uint32At(members, i), uint32At(members, j))
      }
    }
  }
}

function firstCommonBlock({ firstOf, blocksOf }: Blocks, a: number, b: number): number {
  let i = uint32At(firstOf, a)
  let j = uint32At(firstOf, b)
  let left = uint32At(blocksOf, i)
  let right = uint32At(blocksOf, j)
  while (left !== right) {
    if (left < right) left = uint32At(blocksOf, ++i)
    else right = uint32At(blocksOf, ++j)
  }
  return left
}

/** A pair in several blocks counts several times. */
export function countPairs({ starts }: Blocks, from: number, to: number): number {
  let pairs = 0
  for (let block = from; block < to; block += 1) {
    const count = uint32At(starts, block + 1) - uint32At(starts, block)
    pairs += (count * (count - 1)) / 2
  }
  return pairs
}

/** A list of unsigned 32-bit integers that grows. It uses 4 to 8 bytes for each integer. */
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
    return uint32At(this.#items, index)
  }

  set(index: number, item: number): void {
    this.#items[index] = item
  }

  toShared(): Uint32Array {
    const shared = sharedUint32(this.length)
    shared.set(this.#items.subarray(0, this.length))
    return shared
  }

  #grow(lengthMin: number): void {
    const wider = new Uint32Array(Math.max(lengthMin, this.#items.length * 2))
    wider.set(this.#items)
    this.#items = wider
  }
}
