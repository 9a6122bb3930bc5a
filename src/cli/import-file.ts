import { open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { fileReasonOf, OperatorError } from '../platform/report.ts'

/**
 * `size` is null if it is unknown. Declare a file with `await using`: Node 26 ends a process that leaves closing it
 * to the garbage collector.
 */
export type ImportFile = AsyncDisposable & { name: string; source: Readable; bytes: number | null }

/** Opens a file, or standard input for `-`. @throws OperatorError */
export async function openFile(path: string): Promise<ImportFile> {
  if (path === '-') {
    return {
      name: 'Standard input',
      source: process.stdin,
      bytes: null,
      [Symbol.asyncDispose]: async () => {},
    }
  }
  try {
    return await openPath(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function openPath(path: string): Promise<ImportFile> {
  const found = await stat(path)
  if (found.isDirectory()) throw new Error('it is a folder')
  const file = await open(path)
  const source = file.createReadStream()
  return {
    name: path,
    source,
    bytes: found.isFile() ? found.size : null,
    async [Symbol.asyncDispose]() {
      // Wait for the stream, which closes the file: `file.close()` would return before that.
      source.destroy()
      if (!source.closed) await new Promise((resolve) => source.once('close', resolve))
    },
  }
}

/** Yields the bytes of a file in pieces, and reports the length of each piece. @throws OperatorError if reading fails */
export async function* readFile(
  { name, source }: ImportFile,
  count: (length: number) => void,
): AsyncGenerator<Buffer, void> {
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      count(chunk.length)
      yield chunk
    }
  } catch (error) {
    throw error instanceof OperatorError ? error : unreadable(name, error)
  }
}

const unreadable = (name: string, error: unknown) =>
  new OperatorError(`${name} cannot be read: ${fileReasonOf(error)}.`)

/** Reads a mapping of headers to fields from `Mail=email,Nr=external_id:shop` or from JSON. @throws OperatorError */
export function readMap(text: string): Record<string, string> {
  if (text.trimStart().startsWith('{')) return readJsonMap(text)
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const at = pair.lastIndexOf('=')
      if (at < 1) {
        throw new OperatorError(
          `--map is <header>=<field>,… such as Mail=email,Nr=external_id:shop, or the same as JSON; "${pair}" is neither.`,
        )
      }
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )
}

function readJsonMap(text: string): Record<string, string> {
  try {
    const mapping: unknown = JSON.parse(text)
    if (Object.values(mapping as object).every((field) => typeof field === 'string')) {
      return mapping as Record<string, string>
    }
  } catch {}
  throw new OperatorError('--map is not a JSON object of headers and fields, such as {"Mail": "email"}.')
}
