import { Readable } from 'node:stream'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { onAllRecords } from '../platform/db/limited-records.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { Turns } from '../platform/db/turns.ts'
import { conflict, DomainError } from '../platform/domain-error.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { rest } from '../platform/jobs/rest.ts'
import { servesOthers } from '../platform/recent-requests.ts'
import { createImport, deleteUpload, findImport, type NewImport, queueImport } from './imports.ts'
import { importRecords } from './jobs.ts'
import { savePiece } from './pieces.ts'
import type { Import } from './schema.ts'
import { type FileClaims, UploadCheck } from './upload-check.ts'
import { spreadsheetTooLarge, xlsxBytesMax } from './xlsx/xlsx.ts'

const pieceBytes = 1024 * 1024
/** The maximum number of imports of an organization that have not ended. Their files are in the database until they end. */
const unfinishedMax = 100
/**
 * While the process serves other organizations, the pieces of an organization's files are stored one after another,
 * with a rest after each.
 */
const turns = new Turns()

export type Upload = Omit<NewImport, 'status'> &
  FileClaims & {
    source: Readable | string
    bytesAnnounced: number
    maxBytes: number
  }

export type Uploaded = Stored & { importId: string }

type Stored = {
  bytesTotal: number
  encoding: string | null
  /** Whether the import may create companies for contacts. */
  makesCompanies: boolean
}

/**
 * Stores a file in pieces. Deletes the upload if it is too large, stops early or has no usable
 * header.
 * @param payerId the organization whose limits the request uses
 * @throws ValidationError about the encoding, the header or the mapping; DomainError too_large; conflict if 100 imports of the
 * organization have not ended
 */
export async function storeUpload(org: Org, payerId: string, upload: Upload): Promise<Uploaded> {
  if (upload.bytesAnnounced > upload.maxBytes) throw tooLarge(upload.maxBytes)
  const importId = await org.transact(async (tx) => {
    await requireRoom(tx)
    return createImport(tx, { ...upload, status: 'uploading' })
  })
  try {
    return { importId, ...(await storePieces(org, payerId, importId, upload)) }
  } catch (error) {
    // If this fails too, the sweep deletes the upload after a day.
    await org.transact((tx) => deleteUpload(tx, importId)).catch(() => {})
    throw error
  }
}

/**
 * Requires that the organization can have one more import. No other transaction adds one until this transaction ends.
 * Imports that a limited member does not see count too.
 */
async function requireRoom(tx: OrgTx): Promise<void> {
  await lockExclusive(tx, `imports ${tx.orgId}`)
  const unfinished = await onAllRecords(tx, () =>
    tx.rows(sql`
      select from import where org_id = ${tx.orgId} and status in ('uploading', 'queued', 'running')
      limit ${unfinishedMax}`),
  )
  if (unfinished.length >= unfinishedMax)
    throw conflict(
      'limit_reached',
      `At most ${unfinishedMax} imports of an organization can wait or run. Wait until one ends, or cancel one (POST /imports/{import_id}/cancel).`,
    )
}

/** Enqueues an import whose file is stored, in the same transaction. Returns it as answers show it. */
export async function enqueueImport(
  tx: OrgTx,
  jobs: Jobs,
  { importId, ...uploaded }: Uploaded,
): Promise<Import> {
  await queueImport(tx, importId, uploaded)
  await jobs.enqueue(tx, importRecords, { org_id: tx.orgId, import_id: importId })
  return findImport(tx, importId)
}

/** Storing 10 MiB in one statement would block the thread for 50 ms. */
function* piecesOfText(text: string): Generator<Buffer, void> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

async function storePieces(org: Org, payerId: string, importId: string, upload: Upload): Promise<Stored> {
  const { source, maxBytes } = upload
  const chunks = typeof source === 'string' ? Readable.from(piecesOfText(source)) : source
  const check = new UploadCheck(org, payerId, importId, upload)
  let bytesTotal = 0
  let pieces = 0
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  const storePiece = async () => {
    const piece = Buffer.concat(waiting)
    await check.read(piece)
    const number = pieces++
    waiting = []
    waitingBytes = 0
    return org.transact((tx) => savePiece(tx, importId, number, piece))
  }
  // If the upload was deleted, its caller has lost the right to import. That right is checked again before an import is
  // enqueued.
  const gone = () => ({ bytesTotal, encoding: null, makesCompanies: false })
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    bytesTotal += chunk.length
    if (bytesTotal > maxBytes) throw tooLarge(maxBytes)
    if (check.isSpreadsheet && bytesTotal > xlsxBytesMax)
      throw new DomainError('body_too_large', spreadsheetTooLarge)
    waiting.push(chunk)
    waitingBytes += chunk.length
    if (waitingBytes < pieceBytes) continue
    const isStored = await turns.run(payerId, async () => {
      const startedAt = performance.now()
      const stored = await storePiece()
      if (servesOthers(payerId)) await rest(performance.now() - startedAt)
      return stored
    })
    if (!isStored) return gone()
  }
  if ((waitingBytes > 0 || pieces === 0) && !(await storePiece())) return gone()
  const encoding = await check.finish()
  return { bytesTotal, encoding, makesCompanies: check.makesCompanies }
}

function tooLarge(maxBytes: number): DomainError {
  return new DomainError(
    'body_too_large',
    `The file is larger than ${maxBytes} bytes, the maximum (IMPORT_MAX_BYTES). Split it, and send each part.`,
  )
}
