import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'

const partsMax = 1_000

/** The spreadsheet cannot be read. The message tells the user why. */
export class BrokenSpreadsheet extends Error {
  override name = 'BrokenSpreadsheet'
}

/** The parts of a ZIP file in memory. A part is unpacked when it is read, up to a size that the caller sets. */
export class Archive {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /** @throws BrokenSpreadsheet */
  static async open(bytes: Buffer): Promise<Archive> {
    const entries = new Map<string, Entry>()
    const zip = await orBroken(fromBufferPromise(bytes, { lazyEntries: true }))
    if (zip.entryCount > partsMax)
      throw new BrokenSpreadsheet(`The file has more than ${partsMax} parts, the maximum.`)
    const reading = zip.eachEntry()[Symbol.asyncIterator]()
    for (let next = await orBroken(reading.next()); !next.done; next = await orBroken(reading.next()))
      entries.set(next.value.fileName, next.value)
    return new Archive(zip, entries)
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** Unpacks a part. @throws BrokenSpreadsheet if the part is missing, damaged or larger than `bytesMax` */
  async *read(name: string, bytesMax: number): AsyncGenerator<Buffer, void> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new BrokenSpreadsheet(`The spreadsheet lacks its part ${name}.`)
    // Checking the announced size is enough: yauzl never unpacks more than that.
    if (entry.uncompressedSize > bytesMax)
      throw new BrokenSpreadsheet(
        `The part ${name} has ${entry.uncompressedSize} bytes unpacked; the maximum is ${bytesMax}. Save the file as CSV.`,
      )
    const stream = await orBroken(this.#zip.openReadStreamPromise(entry))
    try {
      const chunks = stream[Symbol.asyncIterator]()
      for (let next = await orBroken(chunks.next()); !next.done; next = await orBroken(chunks.next()))
        yield next.value
    } finally {
      stream.destroy()
    }
  }
}

/** Turns every error into BrokenSpreadsheet: the bytes are in memory, so only the file can be the cause. */
async function orBroken<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading
  } catch {
    throw new BrokenSpreadsheet('The spreadsheet is damaged or encrypted. Save it again, or save it as CSV.')
  }
}
