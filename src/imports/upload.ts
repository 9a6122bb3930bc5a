import { Readable } from 'node:stream'
import type { Actor } from '../events/record.ts'
import type { Org } from '../platform/db/org.ts'
import type { Tx } from '../platform/db/tx.ts'
import { refuse } from '../platform/http/fields.ts'
import { Problem } from '../platform/http/problem.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { readCsv } from './csv.ts'
import { createImport, dropImport, findImport, type NewImport } from './imports.ts'
import { importRecords } from './jobs.ts'
import { Unusable, usableColumns } from './load.ts'
import type { Import } from './schema.ts'

const pieceBytes = 1024 * 1024

export type Upload = Omit<NewImport, 'status'> & { source: Readable | string; maxBytes: number }

/**
 * Takes a file in, piece by piece, and queues its import: both commit together. A file that breaks off, is too
 * large or has no usable header leaves nothing behind.
 * @throws ValidationError about the header or the mapping; Problem 413
 */
export async function upload(org: Org, actor: Actor, jobs: Jobs, input: Upload): Promise<Import> {
  const importId = await org.transact((tx) => createImport(tx, actor, { ...input, status: 'uploading' }))
  try {
    const bytesTotal = await takeIn(org, importId, input)
    return await org.transact(async (tx) => {
      await tx.run({
        text: `update import set status = 'queued', bytes_total = $2 where org_id = app.org_id() and import_id = $1`,
        values: [importId, bytesTotal],
      })
      await jobs.enqueue(tx, importRecords, { org_id: org.orgId, import_id: importId })
      return findImport(tx, importId)
    })
  } catch (error) {
    await org.transact((tx) => dropImport(tx, importId)).catch(() => {})
    throw error
  }
}

async function takeIn(org: Org, importId: string, input: Upload): Promise<number> {
  let bytes = 0
  let piece = 0
  let parts: Uint8Array[] = []
  let size = 0
  const store = async () => {
    const whole = Buffer.concat(parts)
    if (piece === 0) await checkHeader(whole, input)
    const number = piece++
    parts = []
    size = 0
    await org.transact((tx) => savePiece(tx, importId, number, whole))
  }
  const source = typeof input.source === 'string' ? Readable.from([Buffer.from(input.source)]) : input.source
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > input.maxBytes) throw tooLarge(input.maxBytes)
    parts.push(chunk)
    size += chunk.length
    if (size >= pieceBytes) await store()
  }
  if (size > 0 || piece === 0) await store()
  return bytes
}

/** Refuses at once what the job would refuse later: a file that is none, a mapping that does not fit it. */
async function checkHeader(start: Buffer, { type, mapping }: Upload): Promise<void> {
  const file = await readCsv(Readable.from([start]))
  try {
    if ('problem' in file) throw new Unusable(file.problem)
    usableColumns(file.header, type, mapping)
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    throw new ValidationError([detailAt(['body'], refuse(error.message))])
  } finally {
    // Left unread, the rows would keep their source open.
    if ('rows' in file) await file.rows[Symbol.asyncIterator]().return?.()
  }
}

function savePiece(tx: Tx, importId: string, piece: number, bytes: Buffer): Promise<number> {
  return tx.run({
    text: 'insert into import_piece (org_id, import_id, piece, bytes) values (app.org_id(), $1, $2, $3)',
    values: [importId, piece, bytes],
  })
}

/** The bytes of an uploaded file, one piece in memory at a time. */
export async function* piecesOf(org: Org, importId: string): AsyncGenerator<Buffer, void> {
  for (let piece = 0; ; piece++) {
    const [row] = await org.readRows<{ bytes: Buffer }>({
      text: 'select bytes from import_piece where org_id = $1 and import_id = $2 and piece = $3',
      values: [org.orgId, importId, piece],
    })
    if (!row) return
    yield row.bytes
  }
}

function tooLarge(maxBytes: number): Problem {
  return new Problem(
    413,
    `The file is larger than ${maxBytes} bytes, the most that is taken (IMPORT_MAX_BYTES); send it in parts`,
  )
}
