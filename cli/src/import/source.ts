import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UsageError } from '../exit.ts'
import type { Io } from '../io.ts'

const headBytes = 64 * 1024
/** The server inspects a spreadsheet of at most this size. */
const spreadsheetMax = 2 * 1024 * 1024
const spreadsheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The file of an import. Standard input and pipes are first copied to a file, so that the file can be sent again. */
export class ImportedFile {
  readonly path: string
  /** The name for people; null: standard input or a pipe. */
  readonly name: string | null
  readonly type: string
  readonly #folder: string | null

  constructor(path: string, name: string | null, folder: string | null) {
    this.path = path
    this.name = name
    this.type = /\.xlsx$/i.test(path) ? spreadsheetType : 'text/csv'
    this.#folder = folder
  }

  /** The part of the file that the server needs to show the columns; null if the spreadsheet is too large for that. */
  async head(): Promise<Uint8Array<ArrayBuffer> | null> {
    const isCsv = this.type === 'text/csv'
    const { size } = await stat(this.path)
    if (!isCsv && size > spreadsheetMax) return null
    const length = isCsv ? Math.min(size, headBytes) : size
    const file = await open(this.path)
    try {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, 0)
      // The head may end inside a row. A half row would show a wrong sample.
      const end = isCsv && bytesRead < size ? buffer.lastIndexOf(10) + 1 || bytesRead : bytesRead
      return buffer.slice(0, end)
    } finally {
      await file.close()
    }
  }

  /** About how many rows the file has: its line ends. null for a spreadsheet. */
  async rows(): Promise<number | null> {
    if (this.type !== 'text/csv') return null
    let count = 0
    for await (const chunk of createReadStream(this.path))
      for (const byte of chunk as Buffer) if (byte === 10) count++
    return count
  }

  async close(): Promise<void> {
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true })
  }
}

/** @throws UsageError if the file is unreadable or a folder */
export async function openImportedFile(path: string, io: Io): Promise<ImportedFile> {
  if (path !== '-') {
    const found = await stat(path).catch((error: Error) => {
      throw new UsageError(`The file ${path} is unreadable: ${error.message}`)
    })
    if (found.isDirectory()) throw new UsageError(`${path} is a folder. Pass a file.`)
    if (found.isFile()) return new ImportedFile(path, basename(path), null)
    return copied(createReadStream(path), io.signal)
  }
  if (io.stdin.isTTY)
    throw new UsageError('`-` reads standard input, which is the terminal. Pass a file, or a pipe.')
  return copied(io.stdin, io.signal)
}

async function copied(stream: Readable, signal: AbortSignal): Promise<ImportedFile> {
  // Only the user can read a folder of mkdtemp.
  const folder = await mkdtemp(join(tmpdir(), 'crosswalk-'))
  const file = new ImportedFile(join(folder, 'rows.csv'), null, folder)
  const copy = createWriteStream(file.path, { mode: 0o600 })
  try {
    await pipeline(stream, copy, { signal })
    return file
  } catch (error) {
    // Ctrl-C may come while the file is being created. Wait, or it would stay behind.
    copy.destroy()
    if (!copy.closed) await new Promise((resolve) => copy.once('close', resolve))
    await file.close()
    throw error
  }
}
