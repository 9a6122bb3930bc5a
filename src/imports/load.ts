import type { Actor } from '../platform/actor.ts'
import type { Org } from '../platform/db/org.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { mapInSlices } from '../platform/slices.ts'
import { defaultCountry } from '../records/find.ts'
import type { RecordType } from '../records/record-type.ts'
import { resolveReferences } from '../records/references.ts'
import { insertRecords } from '../records/write.ts'
import { type Lot, lotsOf } from './lots.ts'
import { type Prepare, type Prepared, preparer, reasonOf } from './prepare.ts'
import { claimLot, countLot, type Progress, saveColumns, saveRefusals } from './progress.ts'
import { type Table, Unusable } from './table.ts'

/** Somebody ended the import. */
export class Superseded extends Error {
  override name = 'Superseded'
}

class LotIsStored extends Error {}

export type Load = {
  org: Org
  actor: Actor
  type: RecordType
  importId: string
  table: Table
  /** First rows of the lots that are stored already. */
  stored?: ReadonlySet<number>
  /** Told what this call has done so far. */
  onProgress?(progress: Progress): void
  signal?: AbortSignal
}

// More would only wait for each other: rows cost Node about as much as PostgreSQL.
const writesInFlight = 2

/**
 * Creates a record for each row of a CSV file, with memory for some thousand rows whatever its size; what it did. Each
 * lot of rows commits with a note that it is stored: killed at any instant, or done by several processes at once, no
 * row is lost or doubled. When this is over, well or not, nothing is being written any more.
 * @throws Unusable; Superseded; whatever the signal aborts with
 */
export async function load(task: Load): Promise<Progress> {
  const { table, stored, signal } = task
  const country = await task.org.transact(async (tx) => {
    await saveColumns(tx, task.importId, table.columns)
    return defaultCountry(tx)
  })
  const prepare = preparer(task.type, table.columns, { defaultCountry: country })
  const progress: Progress = { rowsRead: 0, created: 0, refused: 0 }
  const writes: Promise<Prepared | null>[] = []
  const settleOldest = async () => {
    const written = await writes.shift()!
    if (!written) return
    const { rows, refused } = written
    progress.rowsRead += rows.length + refused.length
    progress.created += rows.length
    progress.refused += refused.length
    task.onProgress?.(progress)
  }
  let stopped: string | null = null
  try {
    for await (const lot of lotsOf(table.rows)) {
      signal?.throwIfAborted()
      const last = lot.rows.at(-1)
      if (last && 'stopped' in last) stopped = last.problem
      if (stored?.has(lot.firstRow)) continue
      const prepared = await prepareLot(task.org.orgId, prepare, lot)
      if (writes.length === writesInFlight) await settleOldest()
      const written = write(task, lot, prepared)
      // It is awaited later; a failure until then is not unhandled.
      written.catch(() => {})
      writes.push(written)
    }
    while (writes.length > 0) await settleOldest()
  } finally {
    await Promise.allSettled(writes)
  }
  if (stopped !== null) throw new Unusable(stopped)
  return progress
}

/** Prepares rows in slices: in between, requests are answered, and the lots before are stored. */
async function prepareLot(orgId: string, prepare: Prepare, { rows }: Lot): Promise<Prepared> {
  const prepared = await mapInSlices(orgId, rows, prepare)
  return {
    rows: prepared.flatMap((row) => ('state' in row ? [row] : [])),
    refused: prepared.flatMap((row) => ('state' in row ? [] : [row])),
  }
}

/** Stores a lot; what was stored, null if another process had done it by then. */
async function write(
  { org, actor, type, importId }: Load,
  { firstRow }: Lot,
  prepared: Prepared,
): Promise<Prepared | null> {
  const stored = org.transact(async (tx) => {
    // Waits for another process that is at the same lot.
    if (!(await claimLot(tx, importId, firstRow))) throw new LotIsStored()
    const resolved = await withReferences(tx, type, prepared)
    const { refused } = resolved
    const states = resolved.rows.map(({ state }) => state)
    await Promise.all([
      states.length > 0 && insertRecords(new OrgTx(tx, actor), type, states, importId),
      refused.length > 0 && saveRefusals(tx, importId, refused),
    ])
    // Last, since until the commit other lots wait for the import's row.
    if (!(await countLot(tx, importId, states.length, refused.length)))
      throw new Superseded('The import has ended')
    return resolved
  })
  return stored.catch((error) => {
    if (error instanceof LotIsStored) return null
    throw error
  })
}

/** What its rows refer to resolved; those that name a record that this org does not have are refused. */
async function withReferences(tx: OrgTx, type: RecordType, prepared: Prepared): Promise<Prepared> {
  const states = prepared.rows.map(({ state }) => state)
  const problems = await resolveReferences(tx, type, states)
  const lost = prepared.rows.flatMap(({ line }, index) =>
    problems[index] ? [{ line, reason: reasonOf(problems[index]) }] : [],
  )
  if (lost.length === 0) return prepared
  const rows = prepared.rows.filter((_row, index) => !problems[index])
  return { rows, refused: [...prepared.refused, ...lost] }
}
