import { itemAt, uint32At } from './element-at.ts'
import { type FeatureTable, textReader } from './feature-table.ts'
import { hashOutput, hashText } from './hash.ts'
import { type KeyKind, type KeyPart, mixParts, partsMax, tokensOf } from './key-kinds.ts'

/** Value `id` has the hashes `starts[id]` to `starts[id + 1] - 1`. */
type Hashes = { field: number; starts: Uint32Array; highs: Uint32Array; lows: Uint32Array }

/** Makes the match keys of a table's records. Hashes each distinct value once for each kind of token. */
export class TokenHashes {
  readonly #table: FeatureTable
  readonly #made = new Map<string, Hashes>()
  readonly #chosen = new Uint32Array(2 * partsMax)

  constructor(table: FeatureTable) {
    this.#table = table
  }

  /** Passes each record and writes its key to `hashOutput`. `keysOf` gives the same keys. */
  forEachKey({ parts, unordered }: KeyKind, take: (record: number) => void): void {
    const hashes = parts.map((part) => this.#of(part))
    const { cells, width, size } = this.#table
    for (let record = 0; record < size; record += 1) {
      if (hashes.every(({ field }) => cells[record * width + field] !== 0)) {
        this.#visit(hashes, 0, record, unordered, take)
      }
    }
  }

  #visit(
    hashes: Hashes[],
    depth: number,
    record: number,
    unordered: boolean,
    take: (record: number) => void,
  ): void {
    const hash = hashes[depth]
    if (hash === undefined) {
      mixParts(this.#chosen, depth, unordered)
      take(record)
      return
    }
    const id = uint32At(this.#table.cells, record * this.#table.width + hash.field)
    const end = uint32At(hash.starts, id + 1)
    for (let at = uint32At(hash.starts, id); at < end; at += 1) {
      this.#chosen[2 * depth] = uint32At(hash.highs, at)
      this.#chosen[2 * depth + 1] = uint32At(hash.lows, at)
      this.#visit(hashes, depth + 1, record, unordered, take)
    }
  }

  #of(part: KeyPart): Hashes {
    const name = `${part.field} ${part.tokenName}`
    const made = this.#made.get(name) ?? this.#make(part)
    this.#made.set(name, made)
    return made
  }

  #make(part: KeyPart): Hashes {
    const column = itemAt(this.#table.columns, part.field)
    const read = textReader(column)
    const starts = new Uint32Array(column.size + 2)
    const highs: number[] = []
    const lows: number[] = []
    for (let id = 1; id <= column.size; id += 1) {
      starts[id] = highs.length
      for (const token of tokensOf(part, read(id))) {
        hashText(token)
        highs.push(uint32At(hashOutput, 0))
        lows.push(uint32At(hashOutput, 1))
      }
    }
    starts[column.size + 1] = highs.length
    return { field: part.field, starts, highs: Uint32Array.from(highs), lows: Uint32Array.from(lows) }
  }
}
