import { type CsvRow, type ReadingOptions, RowReader, saveAsUtf8 } from './csv-rows.ts'
import { encodingOf, toUtf8 } from './encoding.ts'
import { headerProblem } from './header.ts'
import { peekStart } from './peek-start.ts'

const blockBytes = 64 * 1024
const delimiters = [',', ';', '\t', '|']

/**
 * Rows come in batches of at most a few thousand. Each row has as many cells as the header. Blank
 * rows are skipped.
 */
export type CsvFile = {
  header: string[]
  delimiter: string
  encoding: string
  rows: AsyncIterable<CsvRow[]>
}

export type CsvOptions = ReadingOptions & { encoding?: string | undefined }

/**
 * Reads the header, finds the delimiter (, ; tab |), and returns the rows, which are read when they are iterated.
 * Returns a problem if the whole file is unreadable. Needs a few blocks of 64 KiB and one row of 1 MiB in memory. The
 * caller must iterate `rows`: leaving the loop closes the source.
 * @throws only errors of `source`
 */
export async function readCsv(
  source: AsyncIterable<Uint8Array>,
  { encoding, ...options }: CsvOptions = {},
): Promise<CsvFile | { problem: string }> {
  const { start: sample, bytes, close } = await peekStart(source)
  const encoded = archiveProblem(sample) ?? (encoding === undefined ? encodingOf(sample) : { encoding })
  if ('problem' in encoded) {
    await close()
    return encoded
  }
  const blocks = blocksOf(toUtf8(bytes, encoded.encoding))
  const block = (await blocks.next()).value ?? Buffer.alloc(0)
  const start = readStart(block)
  const batches = readRows(new RowReader(start, options), block.subarray(start.offset), blocks)
  const [head, ...rest] = (await batches.next()).value ?? []
  const header = readHeader(head)
  if ('problem' in header) {
    await batches.return()
    return header
  }
  return { header: header.cells, delimiter: start.delimiter, ...encoded, rows: startWith(rest, batches) }
}

type Start = { delimiter: string; offset: number; line: number }

/** Why a file with this start is not CSV: it is ZIP (.xlsx, .ods), OLE (.xls) or gzip. */
export function archiveProblem(start: Buffer): { problem: string } | null {
  if (!/^(504b0304|d0cf11e0|1f8b)/.test(start.toString('hex', 0, 4))) return null
  return { problem: `The file is a spreadsheet or an archive, not CSV: ${saveAsUtf8}.` }
}

function readStart(block: Buffer): Start {
  const offset = block.toString('hex', 0, 3) === 'efbbbf' ? 3 : 0
  // Excel can write a first line such as `sep=;`, which names the delimiter.
  const named = /^"?sep=([,;\t|])"?\r?\n/i.exec(block.toString('latin1', offset, offset + 12))
  if (named?.[1] !== undefined) return { delimiter: named[1], offset: offset + named[0].length, line: 2 }
  return { delimiter: mostFrequent(firstLine(block.toString('latin1', offset).trimStart())), offset, line: 1 }
}

/** Returns the text before the first line break outside quotes, without quoted values. */
function firstLine(text: string): string {
  const header = /^(?:[^"\r\n]|"[^"]*")*(?=[\r\n])/.exec(text) ?? /^[^\r\n]*/.exec(text)
  return (header?.[0] ?? '').replace(/"[^"]*"/g, '')
}

function mostFrequent(header: string): string {
  const counts = delimiters.map((delimiter) => header.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

function readHeader(head: CsvRow | undefined): { cells: string[] } | { problem: string } {
  if (head === undefined) return { problem: 'The file is empty.' }
  if ('problem' in head) return { problem: `The header cannot be read. ${head.problem}` }
  const problem = headerProblem(head.cells)
  return problem === null ? head : { problem }
}

async function* readRows(
  reader: RowReader,
  first: Buffer,
  blocks: AsyncGenerator<Buffer, void>,
): AsyncGenerator<CsvRow[], void> {
  try {
    yield* reader.read(first)
    for await (const block of blocks) {
      if (reader.stopped) return
      yield* reader.read(block)
    }
    yield* reader.finish()
  } finally {
    await blocks.return()
  }
}

async function* startWith(
  batch: CsvRow[],
  batches: AsyncGenerator<CsvRow[], void>,
): AsyncGenerator<CsvRow[]> {
  try {
    if (batch.length > 0) yield batch
    yield* batches
  } finally {
    await batches.return()
  }
}

/** Blocks of exactly 64 KiB, so that the result does not depend on how the source divides its bytes. */
async function* blocksOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  let parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    let rest = chunk
    while (size + rest.length >= blockBytes) {
      const taken = rest.subarray(0, blockBytes - size)
      yield Buffer.concat([...parts, taken])
      rest = rest.subarray(taken.length)
      parts = []
      size = 0
    }
    if (rest.length > 0) parts.push(rest)
    size += rest.length
  }
  if (size > 0) yield Buffer.concat(parts)
}
