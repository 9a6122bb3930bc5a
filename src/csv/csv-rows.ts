import { isUtf8 } from 'node:buffer'
import { CsvError, Parser } from 'csv-parse'
import { nextSlice } from '../platform/slices.ts'

// A longer field or row usually has an unclosed quote.
const fieldBytesMax = 128 * 1024
const defaultRowBytesMax = 1024 * 1024
/** The number of bytes for each step of the parser. Parsing 64 KiB of short rows takes 300 ms. */
const pieceBytes = 2 * 1024
/** The maximum number of cells in a step. Short rows are padded to the width of the header. */
const pieceCells = 32 * 1024
// The parser reads some bytes after a broken row twice. Reading stops when the bytes that were read twice exceed all
// other bytes by this number.
const rereadFree = 32 * 1024 * 1024
const retryBytes = 1024
/** How long reading may use the thread before other organizations get a slice, in milliseconds. */
const sliceMs = 4
export const saveAsUtf8 = 'save it as CSV in UTF-8'

export type ReadingOptions = {
  /** The organization in whose slices of thread time the rows are read. */
  owner?: string
  /** The maximum length of a row; 1 MiB by default. The rest of a longer row is skipped. */
  rowBytesMax?: number
}

/**
 * A row, or why it is unreadable. `line` is its first line; the first line of the file is 1. After a `stopped` row,
 * reading ends.
 */
export type CsvRow = { line: number; cells: string[] } | { line: number; problem: string; stopped?: true }

/**
 * Calls `take` for each record while `info.bytes` is still the end of this record. The `on_record` callback of
 * csv-parse is slower: it makes two objects of fifteen fields for each call.
 */
class RowParser extends Parser {
  #take: (cells: string[]) => void

  constructor(delimiter: string, take: (cells: string[]) => void) {
    super({
      delimiter,
      record_delimiter: ['\n', '\r\n', '\r'],
      relax_column_count: true,
      // A quote inside an unquoted value is an ordinary character: 5" pipe.
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    })
    this.#take = take
    // `write` reports the error. Without a listener, the event would end the process.
    this.on('error', () => {})
  }

  override push(cells: string[] | null): boolean {
    if (cells === null) return super.push(null)
    this.#take(cells)
    return true
  }
}

/**
 * Extends csv-parse: reading continues after a broken row, lines are numbered, memory is limited, and UTF-8 is checked.
 */
export class RowReader {
  stopped = false
  #parser: Parser
  #delimiter: string
  #rows: CsvRow[] = []
  #width = 0
  #line: number
  #bytes: Buffer = Buffer.alloc(0)
  /** Positions in `#bytes`: the next row, the end of the parsed bytes, and where the parser's byte 0 is. */
  #at = 0
  #fed = 0
  #origin = 0
  #allUtf8 = false
  #isAfterBroken = false
  #isInBrokenLine = false
  #total = 0
  #reread = 0
  #pauseAt = performance.now() + sliceMs
  readonly #owner: string
  readonly #rowBytesMax: number

  constructor(
    start: { delimiter: string; line: number },
    { owner = '', rowBytesMax = defaultRowBytesMax }: ReadingOptions = {},
  ) {
    this.#owner = owner
    this.#rowBytesMax = rowBytesMax
    this.#delimiter = start.delimiter
    this.#line = start.line
    this.#parser = this.#newParser()
  }

  /** Yields the rows that end in this block, in batches. */
  async *read(block: Buffer): AsyncGenerator<CsvRow[], void> {
    this.#total += block.length
    const left =
      this.#at === this.#bytes.length ? block : Buffer.concat([this.#bytes.subarray(this.#at), block])
    this.#origin -= this.#at
    this.#fed -= this.#at
    this.#at = 0
    this.#bytes = left
    // Keep the bytes after the last line break, because the block may end inside a character.
    const end = Math.max(left.lastIndexOf(10), left.lastIndexOf(13)) + 1
    this.#allUtf8 = isClean(left.subarray(0, end))
    if (this.#isInBrokenLine) this.#leaveBrokenLine(0)
    yield* this.#feed(pieceBytes)
  }

  /** Yields the rows that end with the file, in batches. */
  async *finish(): AsyncGenerator<CsvRow[], void> {
    this.#allUtf8 = false
    for (let error = await this.#end(); error !== null; error = await this.#end()) {
      this.#skipBrokenRow(error)
      yield* this.#feed(retryBytes)
    }
    yield* this.#takeRows()
  }

  async *#feed(largest: number): AsyncGenerator<CsvRow[], void> {
    let most = largest
    while (this.#fed < this.#bytes.length && !this.stopped) {
      await this.#pause()
      const step = Math.min(most, Math.ceil((2 * pieceCells) / (this.#width + 1)))
      const piece = this.#bytes.subarray(this.#fed, this.#fed + step)
      this.#fed += piece.length
      const error = await new Promise<unknown>((done) =>
        this.#parser.write(piece, (failure) => done(failure ?? null)),
      )
      if (error !== null || this.#fed - this.#at > this.#rowBytesMax) {
        this.#skipBrokenRow(error)
        most = retryBytes
      }
      yield* this.#takeRows()
    }
  }

  *#takeRows(): Generator<CsvRow[], void> {
    if (this.#rows.length === 0) return
    const rows = this.#rows
    this.#rows = []
    yield rows
  }

  /** Lets other organizations use the thread. Reading from memory would never pause otherwise. */
  async #pause(): Promise<void> {
    if (performance.now() < this.#pauseAt) return
    await nextSlice(this.#owner)
    this.#pauseAt = performance.now() + sliceMs
  }

  async #end(): Promise<unknown> {
    if (this.stopped || this.#isInBrokenLine) return null
    const parser = this.#parser
    return new Promise((done) => {
      parser.once('error', done)
      parser.end(() => done(parser.errored))
    })
  }

  /** Records that the row at `#at` is broken, and continues with the next line. */
  #skipBrokenRow(error: unknown): void {
    this.#skipBlankLines(this.#bytes.length)
    const line = this.#line
    this.#rows.push({ line, problem: this.#whyBroken(error) })
    this.#isAfterBroken = true
    const fed = this.#fed
    this.#leaveBrokenLine(this.#at)
    this.#reread += Math.max(0, fed - this.#at)
    if (this.#reread > rereadFree + this.#total) {
      this.stopped = true
      this.#rows.push({
        line: line + 1,
        problem: 'Too many rows are broken; the rows after this line were not read.',
        stopped: true,
      })
    }
  }

  #leaveBrokenLine(from: number): void {
    const end = endOfLine(this.#bytes, from)
    this.#isInBrokenLine = end === null
    if (end !== null) this.#line += 1
    this.#at = end ?? this.#bytes.length
    this.#fed = this.#at
    this.#origin = this.#at
    this.#parser.destroy()
    this.#parser = this.#newParser()
  }

  #newParser(): Parser {
    const parser = new RowParser(this.#delimiter, (cells) =>
      this.#take(cells, parser.info.bytes + this.#origin),
    )
    return parser
  }

  #take(cells: string[], end: number): void {
    this.#skipBlankLines(end)
    const line = this.#line
    const start = this.#at
    this.#at = end
    this.#line += countLines(this.#bytes, start, end)
    if (cells[0] === '' && cells.every((cell) => cell === '')) return
    const problem = this.#whyNot(cells, start, end)
    this.#rows.push(problem === null ? { line, cells } : { line, problem })
  }

  #skipBlankLines(end: number): void {
    for (let index = this.#at; index < end; index += 1) {
      const byte = this.#bytes[index]
      if (byte === 10 || (byte === 13 && this.#bytes[index + 1] !== 10)) {
        this.#line += 1
        this.#at = index + 1
      } else if (byte !== 13 && byte !== 32 && byte !== 9) return
    }
  }

  /** Why these cells cannot be a row; null if they can. Pads a short row. */
  #whyNot(cells: string[], start: number, end: number): string | null {
    const raw = this.#bytes.subarray(start, end)
    if (!this.#allUtf8 && !isClean(raw)) {
      return raw.includes(0)
        ? `The row has a NUL byte. If the file is UTF-16, ${saveAsUtf8}.`
        : `The row is not UTF-8. If the whole file is not, ${saveAsUtf8}.`
    }
    if (raw.length > fieldBytesMax && cells.some((cell) => Buffer.byteLength(cell) > fieldBytesMax)) {
      return 'A value is longer than 128 KB.'
    }
    if (this.#width === 0) this.#width = cells.length
    while (cells.length > this.#width && cells.at(-1) === '') cells.pop()
    const counts = `The row has ${cells.length} value${cells.length === 1 ? '' : 's'}, the header ${this.#width}`
    if (cells.length > this.#width) return `${counts}: a value that contains the delimiter needs quotes.`
    if (cells.length === this.#width) this.#isAfterBroken = false
    else if (this.#isAfterBroken) return `${counts}, and it follows a broken row: it may be part of that row.`
    while (cells.length < this.#width) cells.push('')
    return null
  }

  #whyBroken(error: unknown): string {
    if (error === null) {
      const kibibytes = this.#rowBytesMax / 1024
      const size = kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`
      return `The row is longer than ${size}. Probably a quote is not closed.`
    }
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'A quote is opened and never closed.'
    return 'A quoted value continues after its closing quote. Write a quote inside a quoted value twice ("").'
  }
}

function isClean(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0)
}

/** Returns the position of the next line; null if this line continues after `bytes`. */
function endOfLine(bytes: Buffer, from: number): number | null {
  const lf = bytes.indexOf(10, from)
  const cr = bytes.subarray(from, lf === -1 ? bytes.length : lf).indexOf(13)
  if (cr === -1) return lf === -1 ? null : lf + 1
  return from + cr + 1 === lf ? lf + 1 : from + cr + 1
}

function countLines(bytes: Buffer, start: number, end: number): number {
  let lines = start < end && bytes[end - 1] === 13 ? 1 : 0
  for (let at = bytes.indexOf(10, start); at !== -1 && at < end; at = bytes.indexOf(10, at + 1)) lines += 1
  return lines
}
