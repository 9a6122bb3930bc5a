import { itemAt, uint32At } from './element-at.ts'
import { hashOutput, hashText } from './hash.ts'
import type { Features } from './schema.ts'

/** The distinct values of one field. Id 0 is null. */
export type ValueColumn = {
  /** All values as UTF-8, without separators. Value `id` begins at `starts[id]`. */
  bytes: Uint8Array
  /** True if all bytes are ASCII, which is faster to decode. */
  isAscii: boolean
  starts: Uint32Array
  /** The number of records with each value. */
  counts: Uint32Array
  size: number
}

/**
 * The features of many records, in memory that threads share. A record is a row of value ids, with 4 bytes for each
 * field. Each distinct value is stored once.
 */
export type FeatureTable = { size: number; width: number; cells: Uint32Array; columns: ValueColumn[] }

const chunkRecords = 65_536

/** A record is identified by its index, in the order of adding. */
export class FeatureTableBuilder {
  readonly #columns: ValueInterner[]
  readonly #chunks: Uint32Array[] = []
  #size = 0

  constructor(width: number) {
    this.#columns = Array.from({ length: width }, () => new ValueInterner())
  }

  add(features: Features): void {
    const width = this.#columns.length
    const row = this.#size % chunkRecords
    if (row === 0) this.#chunks.push(new Uint32Array(chunkRecords * width))
    const chunk = itemAt(this.#chunks, this.#chunks.length - 1)
    for (let field = 0; field < width; field += 1) {
      const value = features[field]
      if (value !== null && value !== undefined)
        chunk[row * width + field] = itemAt(this.#columns, field).intern(value)
    }
    this.#size += 1
  }

  /** Returns the table, in memory that threads share. Add nothing afterwards. */
  finish(): FeatureTable {
    const width = this.#columns.length
    const cells = sharedUint32(this.#size * width)
    for (const [index, chunk] of this.#chunks.entries()) {
      const from = index * chunkRecords * width
      cells.set(chunk.subarray(0, Math.min(chunk.length, cells.length - from)), from)
    }
    this.#chunks.length = 0
    return { size: this.#size, width, cells, columns: this.#columns.map((column) => column.finish()) }
  }
}

/** An array of zeros that threads share. */
export const sharedUint32 = (length: number) => new Uint32Array(new SharedArrayBuffer(length * 4))

const lineFeed = 10

/**
 * Whether a value has several parts; without `id`, whether any value of the column has. Different values can share a
 * part.
 */
export function hasSeveralParts({ bytes, starts }: ValueColumn, id?: number): boolean {
  if (id === undefined) return bytes.includes(lineFeed)
  for (let at = uint32At(starts, id); at < uint32At(starts, id + 1); at += 1)
    if (bytes[at] === lineFeed) return true
  return false
}

/** A function that returns the text of an id. Make one for many reads: it creates a buffer. */
export function textReader({ bytes, starts, isAscii }: ValueColumn): (id: number) => string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const encoding = isAscii ? 'latin1' : 'utf8'
  return (id) => buffer.toString(encoding, uint32At(starts, id), uint32At(starts, id + 1))
}

/** Returns the text of an id. Id 0 gives null. */
export function textOf(column: ValueColumn, id: number): string | null {
  if (id === 0) return null
  return textReader(column)(id)
}

/** The normalized values of a record, in the order of the fields. */
export function featuresOf(table: FeatureTable, record: number): Features {
  return table.columns.map((column, field) =>
    textOf(column, uint32At(table.cells, record * table.width + field)),
  )
}

/** Gives equal values the same id, by a 64-bit hash. */
class ValueInterner {
  #slots = new Uint32Array(64)
  #highs = new Uint32Array(32)
  #lows = new Uint32Array(32)
  #starts = new Uint32Array(33)
  #counts = new Uint32Array(32)
  #bytes = Buffer.allocUnsafe(1024)
  #size = 0

  intern(value: string): number {
    hashText(value)
    const high = uint32At(hashOutput, 0)
    const low = uint32At(hashOutput, 1)
    if (this.#size + 2 > this.#highs.length) this.#grow()
    const mask = this.#slots.length - 1
    let slot = low & mask
    for (let id = uint32At(this.#slots, slot); id !== 0; id = uint32At(this.#slots, slot)) {
      if (this.#lows[id] === low && this.#highs[id] === high) {
        this.#counts[id] = uint32At(this.#counts, id) + 1
        return id
      }
      slot = (slot + 1) & mask
    }
    this.#size += 1
    const id = this.#size
    this.#slots[slot] = id
    this.#highs[id] = high
    this.#lows[id] = low
    this.#counts[id] = 1
    this.#write(id, value)
    return id
  }

  finish(): ValueColumn {
    const size = this.#size
    const end = uint32At(this.#starts, size + 1)
    const bytes = new Uint8Array(new SharedArrayBuffer(end))
    bytes.set(this.#bytes.subarray(0, end))
    const starts = sharedUint32(size + 2)
    starts.set(this.#starts.subarray(0, size + 2))
    const counts = sharedUint32(size + 1)
    counts.set(this.#counts.subarray(0, size + 1))
    this.#bytes = Buffer.alloc(0)
    this.#slots = new Uint32Array(0)
    return { bytes, isAscii: bytes.every((byte) => byte < 128), starts, counts, size }
  }

  #write(id: number, value: string): void {
    const start = uint32At(this.#starts, id)
    const end = start + value.length * 3
    if (end > this.#bytes.length) {
      const wider = Buffer.allocUnsafe(Math.max(end, this.#bytes.length * 2))
      this.#bytes.copy(wider, 0, 0, start)
      this.#bytes = wider
    }
    this.#starts[id + 1] = start + this.#bytes.write(value, start)
  }

  #grow(): void {
    const length = this.#highs.length * 2
    this.#highs = widened(this.#highs, length)
    this.#lows = widened(this.#lows, length)
    this.#counts = widened(this.#counts, length)
    this.#starts = widened(this.#starts, length + 1)
    this.#slots = new Uint32Array(length * 2)
    const mask = this.#slots.length - 1
    for (let id = 1; id <= this.#size; id += 1) {
      let slot = uint32At(this.#lows, id) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = id
    }
  }
}

function widened(array: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(length)
  wider.set(array)
  return wider
}
