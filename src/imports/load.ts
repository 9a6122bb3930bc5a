import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { mapInSlices } from '../platform/slices.ts'
import { defaultCountry } from '../records/find.ts'
import type { RecordType } from '../records/record-type.ts'
import { resolveReferences } from '../records/references.ts'
import { insertRecords } from '../records/write.ts'
import { type Lot, lotsOf } from './lots.ts'
import { type Prepare, type Prepared, preparer, refusedRow } from './prepare.ts'
import { claimLot, countLot, type Progress, saveColumns } from './progress.ts'
import { saveRefusals } from './refusals.ts'
import { type Table, Unusable } from './table.ts'

/** The import was ended while it ran, such as by a revert. */
export class ImportEnded extends Error {
  override name = 'ImportEnded'
}

class LotIsStored extends Error {}

export type Load = {
  /** Events name the actor of this handle. */
  org: Org
  type: RecordType
  importId: string
  /** Refuses and counts rows as an import does, and creates no record. */
  dryRun?: boolean
  table: Table
  /** First rows of the lots that are stored already. */
  stored?: ReadonlySet<number>
  /** Gets what this call has done so far. */
  onProgress?(progress: Progress): void
  signal?: AbortSignal
}

// More would only wait for each other: a row costs Node about as much as PostgreSQL.
const writesInFlight = 2

/**
 * Creates a record for each row of a CSV file, with memory for a few thousand rows whatever the size of the file. Each lot
 * of rows commits together with a note that it is stored: if the process dies, or several processes load the file, no row
 * is lost or stored twice. When the promise settles, no write is in flight.
 * @returns what this call has done
 * @throws Unusable; ImportEnded; the reason of the signal
 */
export async function load(task: Load): Promise<Progress> {
  const { org, type, importId, table, stored, signal } = task
  const country = await org.transact(async (tx) => {
    await saveColumns(tx, importId, table)
    return defaultCountry(tx)
  })
  const prepare = preparer(type, table.columns, { defaultCountry: country })
  const progress: Progress = { rowsRead: 0, created: 0, refused: 0 }
  const writes: Promise<Prepared | null>[] = []
  const awaitOldest = async () => {
    const written = await writes.shift()
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
      const prepared = await prepareLot(org.orgId, prepare, lot)
      if (writes.length === writesInFlight) await awaitOldest()
      const written = write(task, lot, prepared)
      // It is awaited later; a failure until then is not unhandled.
      written.catch(() => {})
      writes.push(written)
    }
    while (writes.length > 0) await awaitOldest()
  } finally {
    await Promise.allSettled(writes)
  }
  if (stopped !== null) throw new Unusable(stopped)
  return progress
}

/** Prepares rows in slices, so that the thread answers requests and stores earlier lots in between. */
async function prepareLot(orgId: string, prepare: Prepare, { rows }: Lot): Promise<Prepared> {
  const prepared = await mapInSlices(orgId, rows, prepare)
  return {
    rows: prepared.flatMap((row) => ('state' in row ? [row] : [])),
    refused: prepared.flatMap((row) => ('state' in row ? [] : [row])),
  }
}

/** Stores a lot. Returns what was stored; null if another process has stored the lot. */
async function write(
  { org, type, importId, dryRun = false }: Load,
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
      states.length > 0 && !dryRun && insertRecords(tx, type, states, importId),
      refused.length > 0 && saveRefusals(tx, importId, refused),
    ])
    // Last, since other lots wait for the import's row until the commit.
    if (!(await countLot(tx, importId, states.length, refused.length)))
      throw new ImportEnded('The import has ended')
    return resolved
  })
  return stored.catch((error) => {
    if (error instanceof LotIsStored) return null
    throw error
  })
}

/** Resolves the references of rows, and refuses the rows that name a record that this org does not have. */
async function withReferences(tx: OrgTx, type: RecordType, prepared: Prepared): Promise<Prepared> {
  const states = prepared.rows.map(({ state }) => state)
  const problems = await resolveReferences(tx, type, states)
  const lost = prepared.rows.flatMap(({ line }, index) =>
    problems[index] ? [refusedRow(line, problems[index])] : [],
  )
  if (lost.length === 0) return prepared
  const rows = prepared.rows.filter((_row, index) => !problems[index])
  return { rows, refused: [...prepared.refused, ...lost] }
}
