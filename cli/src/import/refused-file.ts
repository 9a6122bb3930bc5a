import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Failure, UsageError } from '../exit.ts'

/** The file for the refused rows. It gets its name when it is complete, so that no half file looks whole. */
export class RefusedFile {
  readonly #path: string
  readonly #part: string

  private constructor(path: string) {
    this.#path = path
    this.#part = `${path}.${process.pid}.part`
  }

  /**
   * Checks before the import that the file can be written.
   * @param source the file to import
   * @throws UsageError
   */
  static async open(path: string, source: string): Promise<RefusedFile> {
    const known = await stat(path).catch(() => null)
    const imported = await stat(source)
    if (known?.isDirectory()) throw new UsageError(`--refused must be a file, and ${path} is a folder.`)
    if (known && known.ino === imported.ino && known.dev === imported.dev)
      throw new UsageError(`--refused would replace ${path}, the file to import. Choose another name.`)
    const file = new RefusedFile(path)
    try {
      await (await open(file.#part, 'wx')).close()
    } catch (error) {
      throw new UsageError(`The file ${path} of --refused cannot be written: ${(error as Error).message}`)
    }
    return file
  }

  /** @throws Failure that says how to get the rows, if they cannot be saved */
  async save(rows: ReadableStream<Uint8Array>, importId: string): Promise<void> {
    try {
      await pipeline(rows, createWriteStream(this.#part))
      await rename(this.#part, this.#path)
    } catch (error) {
      throw new Failure(
        `The refused rows are not in ${this.#path}: ${(error as Error).message}\nThe server has them:\n  crosswalk imports rows export ${importId} > refused.csv`,
      )
    }
  }

  /** Removes what was not saved. */
  close(): Promise<void> {
    return rm(this.#part, { force: true })
  }
}
