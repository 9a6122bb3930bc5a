import type { Actor } from '../events/record.ts'
import type { Org } from '../platform/db/org.ts'
import type { Tx } from '../platform/db/tx.ts'
import { defaultCountry } from '../records/find.ts'
import type { RecordType } from '../records/record-type.ts'
import { insertRecords } from '../records/write.ts'
import { type Column, mapColumns } from './columns.ts'
import { readCsv } from './csv.ts'
import type { CsvRow } from './csv-rows.ts'
import { advance, saveColumns, saveRefusals } from './imports.ts'
import { type Prepare, preparer } from './prepare.ts'

/** The file as a whole cannot be imported; the message says why and what to do. */
export class Unusable extends Error {
  override name = 'Unusable'
}

/** Another process imports this file as well, or somebody ended the import. */
export class Superseded extends Error {
  override name = 'Superseded'
}

export type Progress = { rowsRead: number; created: number; refused: number }

export type Load = {
  org: Org
  actor: Actor
  type: RecordType
  importId: string
  source: AsyncIterable<Uint8Array>
  mapping: Record<string, string> | undefined
  /** How far the import has come before: as many rows are passed over. */
  progress: Progress
  onProgress?(progress: Progress): void
  signal?: AbortSignal
}

const rowsPerWrite = 1_000
// One that PostgreSQL works on, and the next on its way there.
const writesInFlight = 2

/**
 * Creates a record for each row of a CSV file, with memory for some thousand rows whatever its size. Each write
 * commits with the import's own progress: killed at any instant, it goes on without a row lost or doubled.
 * @throws Unusable; Superseded; whatever the signal aborts with
 */
export async function load(task: Load): Promise<Progress> {
  const file = await readCsv(task.source)
  if ('problem' in file) throw new Unusable(file.problem)
  const columns = usableColumns(file.header, task.type, task.mapping)
  const country = await task.org.transact(async (tx) => {
    await saveColumns(tx, task.importId, columns)
    return defaultCountry(tx)
  })
  const prepare = preparer(task.type, columns, { defaultCountry: country })
  let { progress } = task
  let skip = progress.rowsRead
  let rows: CsvRow[] = []
  let stopped: string | null = null
  const writes: Write[] = []
  const settleOldest = async () => {
    const reached = await writes.shift()!.done
    task.onProgress?.(reached)
  }
  const flush = async () => {
    const prepared = prepare(rows)
    const after = {
      rowsRead: progress.rowsRead + rows.length,
      created: progress.created + prepared.states.length,
      refused: progress.refused + prepared.refused.length,
    }
    rows = []
    if (writes.length === writesInFlight) await settleOldest()
    // Lots may be on their way together, but take their turns in order.
    await writes.at(-1)?.begun
    task.signal?.throwIfAborted()
    writes.push(write(task, progress, after, prepared))
    progress = after
  }
  try {
    for await (const batch of file.rows) {
      const fresh = skip >= batch.length ? [] : batch.slice(skip)
      skip -= batch.length - fresh.length
      rows.push(...fresh)
      const last = batch.at(-1)
      if (last && 'stopped' in last) stopped = last.problem
      if (rows.length >= rowsPerWrite) await flush()
    }
    if (rows.length > 0) await flush()
    while (writes.length > 0) await settleOldest()
  } finally {
    await Promise.allSettled(writes.map(({ done }) => done))
  }
  if (stopped !== null) throw new Unusable(stopped)
  return progress
}

/** @throws Unusable if the mapping does not fit the header */
export function usableColumns(
  header: string[],
  type: RecordType,
  mapping: Record<string, string> | undefined,
): Column[] {
  const { columns, problems } = mapColumns(header, type.entity, mapping)
  if (problems.length > 0) throw new Unusable(problems.join(' '))
  return columns
}

/** `begun` once the import's row is locked for this lot; `done` once all of it is committed. */
type Write = { begun: Promise<unknown>; done: Promise<Progress> }

function write(
  task: Load,
  before: Progress,
  after: Progress,
  { states, refused }: ReturnType<Prepare>,
): Write {
  const locked = Promise.withResolvers<void>()
  const advanceFirst = async (tx: Tx) => {
    // Waits for the lot before, and finds out if that has failed.
    const advanced = await advance(tx, task.importId, before.rowsRead, after)
    locked.resolve()
    if (!advanced) throw new Superseded('Another process goes on with this import, or it has ended')
  }
  const done = task.org.transact(async (tx) => {
    await Promise.all([
      advanceFirst(tx),
      states.length > 0 && insertRecords(tx, task.actor, task.type, states, task.importId),
      refused.length > 0 && saveRefusals(tx, task.importId, refused),
    ])
    return after
  })
  const begun = Promise.race([locked.promise, done])
  // Both are awaited later; a failure until then is not unhandled.
  begun.catch(() => {})
  done.catch(() => {})
  return { begun, done }
}
