// The entry `@crosswalk/sdk/node`, which needs the file system of Node.js.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { FileBody } from './body.ts'
import { ConfigurationError } from './errors.ts'
import type { Import, ImportContactsQuery } from './generated/types.ts'
import type { CallOptions } from './options.ts'

/** A resource with imports: `client.contacts` or `client.companies`. */
export type Importable = {
  imports: {
    create(file: FileBody, query: { [name: string]: unknown }, options: CallOptions): PromiseLike<Import>
  }
}

export type ImportFileOptions = Omit<ImportContactsQuery, 'mapping' | 'match_on'> & {
  /** The field of each column, such as `{ Mail: 'email' }`. The server finds other fields by common header names. */
  mapping?: Record<string, string> | undefined
  /** The key by which rows update records: `email`, `phone`, `domain` or `external_id`. */
  match_on?: string | undefined
  /** Called while the file is sent. A retry starts again at 0. */
  onProgress?: ((sent: { bytes: number; bytesTotal: number }) => void) | undefined
  options?: CallOptions | undefined
}

/**
 * Sends a CSV file or a spreadsheet (.xlsx) as a stream. The returned import is queued: wait with
 * `client.imports.wait`.
 * @throws ConfigurationError for a folder, and the error of the file system if the file cannot be read
 */
export async function importFile(
  records: Importable,
  path: string,
  { mapping, onProgress, options = {}, ...query }: ImportFileOptions = {},
): Promise<Import> {
  const found = await stat(path)
  if (found.isDirectory()) throw new ConfigurationError(`${path} is a folder. Pass the path of a file.`)
  const { size } = found
  const type = /\.xlsx$/i.test(path)
    ? 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    : 'text/csv'
  return records.imports.create(
    () => streamOf(path, (bytes) => onProgress?.({ bytes, bytesTotal: size })),
    { file_name: basename(path), ...query, mapping: mapping && JSON.stringify(mapping) },
    { ...options, headers: { 'content-type': type, ...options.headers } },
  )
}

function streamOf(path: string, onSent: (bytes: number) => void): ReadableStream<Uint8Array> {
  let sent = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.length
      onSent(sent)
      controller.enqueue(chunk)
    },
  })
  return (Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>).pipeThrough(counter)
}
