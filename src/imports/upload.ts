import { Readable } from 'node:stream'
import type { Actor } from '../platform/actor.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { DomainError } from '../platform/domain-error.ts'
import { refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { createImport, dropUpload, findImport, type NewImport, queueImport } from './imports.ts'
import { importRecords } from './jobs.ts'
import { savePiece } from './pieces.ts'
import type { Import } from './schema.ts'
import { openTable, Unusable } from './table.ts'

const pieceBytes = 1024 * 1024

export type Upload = Omit<NewImport, 'status'> & {
  source: Readable | string
  /** 0 if the client does not say. */
  bytesAnnounced: number
  maxBytes: number
  /** Where in the request each part is: what is wrong with it is said there. */
  loc: Record<'file' | 'mapping', string[]>
}

/** A file that was taken in as a whole, and is no import yet. */
export type Uploaded = { importId: string; bytesTotal: number }

/**
 * Takes a file in, piece by piece. One that breaks off, is too large or has no usable header leaves nothing behind.
 * @throws ValidationError about the header or the mapping; DomainError too_large
 */
export async function takeUpload(org: Org, actor: Actor, input: Upload): Promise<Uploaded> {
  if (input.bytesAnnounced > input.maxBytes) throw tooLarge(input.maxBytes)
  const importId = await org.transact((tx) => createImport(tx, actor, { ...input, status: 'uploading' }))
  try {
    return { importId, bytesTotal: await takeIn(org, importId, input) }
  } catch (error) {
    await org.transact((tx) => dropUpload(tx, importId)).catch(() => {})
    throw error
  }
}

/** Makes an import of what was taken in, and queues it. */
export async function startImport(
  tx: OrgTx,
  actor: Actor,
  jobs: Jobs,
  { importId, bytesTotal }: Uploaded,
): Promise<Import> {
  await queueImport(tx, actor, importId, bytesTotal)
  await jobs.enqueue(tx, importRecords, { org_id: actor.orgId, import_id: importId })
  return findImport(tx, importId)
}

async function takeIn(org: Org, importId: string, input: Upload): Promise<number> {
  let bytes = 0
  let piece = 0
  let parts: Uint8Array[] = []
  let size = 0
  const store = async () => {
    const whole = Buffer.concat(parts)
    if (piece === 0) await checkHeader(org.orgId, whole, input)
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
async function checkHeader(orgId: string, start: Buffer, { type, mapping, loc }: Upload): Promise<void> {
  try {
    await openTable(Readable.from([start]), type, mapping, orgId)
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    throw new ValidationError([detailAt(loc[error.part], refuse(error.message))])
  }
}

function tooLarge(maxBytes: number): DomainError {
  return new DomainError(
    'too_large',
    `The file is larger than ${maxBytes} bytes, the most that is taken (IMPORT_MAX_BYTES); send it in parts`,
  )
}
