import type { Org } from '../platform/db/org.ts'
import { turnMs } from '../platform/jobs/run-turn.ts'
import { servesOthers } from '../platform/recent-requests.ts'
import { mapInSlices } from '../platform/slices.ts'
import { lockDefinitionsShared } from '../records/defined-fields/definition.ts'
import { defaultCountry } from '../records/find.ts'
import { readOwners } from '../records/owners/owner.ts'
import { readReach } from '../records/owners/reach.ts'
import type { CellForms } from './cell-forms.ts'
import { type Lot, lotsOf } from './lots.ts'
import { type Prepare, type PreparedRows, rowPreparer } from './prepare.ts'
import { countLot, type ImportProgress, type RowCounts, recordStoredLot, saveColumns } from './progress.ts'
import { type Table, UnusableFile } from './table.ts'
import { type LotContext, writeLot } from './write-lot.ts'

export class ImportEnded extends Error {
  override name = 'ImportEnded'
}

class LotIsStored extends Error {}

export type Load = LotContext &
  CellForms & {
    /** Events name the actor of this `Org`. */
    org: Org
    table: Table
    /** The country of phone numbers without a country code; undefined: the organization's default. */
    defaultCountry?: string | undefined
    /** The number of the first row of each lot that is already stored. */
    stored?: ReadonlySet<number>
    /** This function is called with the progress after each lot. */
    onProgress?(progress: ImportProgress): void
    signal?: AbortSignal
    /** Whether to stop after a turn, so that jobs of other imports can run. */
    inTurns?: boolean
  }

// While one lot is written, Node prepares the next one.
const creating = { rowsPerLot: 1_000, writesInFlight: 2 }
// Write one lot at a time: if two rows match the same record, the later row must win. A lot with more keys than
// `lockedKeysMax` (records/match.ts) would block all upserts of the organization.
const matching = { rowsPerLot: 400, writesInFlight: 1 }

/**
 * Creates or updates a record for each row of a file. Memory holds at most a few thousand rows. Each lot commits with
 * a note that it is stored, so a crash neither loses nor repeats a row. When the promise settles, no write is in
 * progress.
 * @returns the progress of this call. `isWhole` is false if the turn has ended: the next call continues
 * @throws UnusableFile; ImportEnded; the reason of the signal
 */
export async function load(task: Load): Promise<ImportProgress & { isWhole: boolean }> {
  const startedAt = performance.now()
  const { org, type, importId, table, stored, signal } = task
  const orgDefaults = await org.transact(async (tx) => {
    await saveColumns(tx, importId, table)
    const country = task.defaultCountry ?? (await defaultCountry(tx))
    // The definitions stay as they are until the import ends: `fields/` refuses changes meanwhile.
    const definitions = await lockDefinitionsShared(tx, type.entity)
    const owners = await readOwners(tx)
    return { defaultCountry: country, definitions, owners, reach: await readReach(tx) }
  })
  // A spreadsheet has no encoding, and writes all numbers with a point.
  const forms = table.encoding === null ? { ...task, decimalSign: undefined } : task
  const prepare = rowPreparer(type, table.columns, orgDefaults, task.matchOn, forms)
  const progress: ImportProgress = {
    rowsRead: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    refused: 0,
    unreadable: 0,
  }
  const writes: Promise<RowCounts | null>[] = []
  const awaitOldest = async () => {
    const written = await writes.shift()
    if (!written) return
    progress.unreadable += written.unreadable
    for (const count of ['created', 'updated', 'unchanged', 'refused'] as const) {
      progress[count] += written[count]
      progress.rowsRead += written[count]
    }
    task.onProgress?.(progress)
  }
  const { rowsPerLot, writesInFlight } = task.matchOn === undefined ? creating : matching
  let stopped: string | null = null
  let until: number | null = null
  let isWhole = true
  try {
    for await (const lot of lotsOf(table.rows, rowsPerLot)) {
      signal?.throwIfAborted()
      const last = lot.rows.at(-1)
      if (last && 'stopped' in last) stopped = last.problem
      if (stored?.has(lot.firstRow)) continue
      until ??= endOfTurn(startedAt)
      if (task.inTurns && progress.rowsRead > 0 && performance.now() >= until) {
        isWhole = false
        break
      }
      // One lot at a time, and its rest: with two lots, Node and PostgreSQL would use two cores without a break.
      if (servesOthers(org.payerId)) while (writes.length > 0) await awaitOldest()
      const prepared = await prepareLot(org.payerId, prepare, lot)
      if (writes.length === writesInFlight) await awaitOldest()
      const written = write(task, lot, prepared)
      // Handle a rejection now: the promise is awaited later, and an unhandled rejection would end the process.
      written.catch(() => {})
      writes.push(written)
    }
    while (writes.length > 0) await awaitOldest()
  } finally {
    await Promise.allSettled(writes)
  }
  if (isWhole && stopped !== null) throw new UnusableFile(stopped)
  return { ...progress, isWhole }
}

/**
 * Returns when a turn must end; called when it stores its first lot. Each turn reads the stored rows of the file again.
 * A turn of a large file stores rows for three times as long as it read: reading then takes at most a quarter of the time.
 */
function endOfTurn(startedAt: number): number {
  const now = performance.now()
  return now + Math.max(turnMs, 3 * (now - startedAt))
}

/** Prepares rows in slices, so that the thread can answer requests in between. */
async function prepareLot(payerId: string, prepare: Prepare, { rows }: Lot): Promise<PreparedRows> {
  const prepared = await mapInSlices(payerId, rows, prepare)
  return {
    rows: prepared.flatMap((row) => ('state' in row ? [row] : [])),
    refused: prepared.flatMap((row) => ('state' in row ? [] : [row])),
  }
}

/** Stores a lot. Returns the counts of its rows; null if another process has stored the lot. */
async function write(task: Load, { firstRow }: Lot, prepared: PreparedRows): Promise<RowCounts | null> {
  const { org, importId } = task
  const stored = org.transact(async (tx) => {
    // If another process is storing this lot, wait for it.
    if (!(await recordStoredLot(tx, importId, firstRow))) throw new LotIsStored()
    const counts = await writeLot(tx, task, prepared)
    // Count last: other lots wait for the row of the import until the commit.
    if (!(await countLot(tx, importId, counts))) throw new ImportEnded('The import has ended')
    return counts
  })
  return stored.catch((error) => {
    if (error instanceof LotIsStored) return null
    throw error
  })
}
