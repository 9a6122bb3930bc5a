import type { Actor } from '../events/record.ts'
import type { Org } from '../platform/db/org.ts'
import type { Tx } from '../platform/db/tx.ts'
import { defaultCountry } from '../records/find.ts'
import type { RecordType } from '../records/record-type.ts'
import { insertRecords } from '../records/write.ts'
import type { CsvRow } from './csv-rows.ts'
import { type Prepare, preparer } from './prepare.ts'
import { advance, type Progress, saveColumns, saveRefusals } from './progress.ts'
import { type Table, Unusable } from './table.ts'

/** Another process imports this file as well, or somebody ended the import. */
export class Superseded extends Error {
  override name = 'Superseded'
}

export type Load = {
  org: Org
  actor: Actor
  type: RecordType
  importId: string
  table: Table
  /** How far the import has come before: as many rows are passed over. */
  progress: Progress
  onProgress?(progress: Progress): void
  signal?: AbortSignal
}

const rowsPerWrite = 1_000
// Rows may have 1 MiB each: a thousand of them would be too much at once.
const charactersPerWrite = 4 * 1024 * 1024
// One that PostgreSQL works on, and the next on its way there.
const writesInFlight = 2

/**
 * Creates a record for each row of a CSV file, with memory for some thousand rows whatever its size. Each write
 * commits with the import's own progress: killed at any instant, it goes on without a row lost or doubled. When it is
 * over, well or not, nothing is being written any more.
 * @throws Unusable; Superseded; whatever the signal aborts with
 */
export async function load(task: Load): Promise<Progress> {
  const { columns } = task.table
  const country = await task.org.transact(async (tx) => {
    await saveColumns(tx, task.importId, columns)
    return defaultCountry(tx)
  })
  const prepare = preparer(task.type, columns, { defaultCountry: country })
  const writes: Write[] = []
  let { progress } = task
  const settleOldest = async () => {
    const reached = await writes.shift()!.done
    task.onProgress?.(reached)
  }
  const store = async (rows: CsvRow[]) => {
    const prepared = prepare(rows)
    const after = {
      rowsRead: progress.rowsRead + rows.length,
      created: progress.created + prepared.states.length,
      refused: progress.refused + prepared.refused.length,
    }
    const lotBefore = writes.at(-1)
    if (writes.length === writesInFlight) await settleOldest()
    // Lots may be on their way together, but take their turns in order.
    await lotBefore?.begun
    task.signal?.throwIfAborted()
    writes.push(write(task, lotBefore, progress, after, prepared))
    progress = after
  }
  let stopped: string | null = null
  try {
    for await (const rows of lotsOf(task)) {
      await store(rows)
      const last = rows.at(-1)
      if (last && 'stopped' in last) stopped = last.problem
    }
    while (writes.length > 0) await settleOldest()
  } finally {
    await Promise.allSettled(writes.map(({ done }) => done))
  }
  if (stopped !== null) throw new Unusable(stopped)
  return progress
}

/** The rows that are still to do, as many at a time as are written at once. */
async function* lotsOf({ table, progress, signal }: Load): AsyncGenerator<CsvRow[], void> {
  let skip = progress.rowsRead
  let rows: CsvRow[] = []
  let characters = 0
  for await (const batch of table.rows) {
    signal?.throwIfAborted()
    const fresh = skip >= batch.length ? [] : batch.slice(skip)
    skip -= batch.length - fresh.length
    for (const row of fresh) {
      rows.push(row)
      if ('cells' in row) for (const cell of row.cells) characters += cell.length
    }
    if (rows.length < rowsPerWrite && characters < charactersPerWrite) continue
    yield rows
    rows = []
    characters = 0
  }
  if (rows.length > 0) yield rows
}

/** `begun` once the import's row is locked for this lot; `done` once all of it is committed. */
type Write = { begun: Promise<unknown>; done: Promise<Progress> }

function write(
  task: Load,
  lotBefore: Write | undefined,
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
  const store = () =>
    task.org.transact(async (tx) => {
      await Promise.all([
        advanceFirst(tx),
        states.length > 0 && insertRecords(tx, task.actor, task.type, states, task.importId),
        refused.length > 0 && saveRefusals(tx, task.importId, refused),
      ])
      return after
    })
  const done = store().catch(async (error) => {
    // After a deadlock the lot before was run once more, and has come later than this one.
    if (!(error instanceof Superseded) || !lotBefore) throw error
    await lotBefore.done
    return store()
  })
  const begun = Promise.race([locked.promise, done])
  // Both are awaited later; a failure until then is not unhandled.
  begun.catch(() => {})
  done.catch(() => {})
  return { begun, done }
}
