import { availableParallelism } from 'node:os'
import type { EntityType } from '../../matching/entity-type.ts'
import { log2Odds } from '../../matching/weigh.ts'
import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import { minUuid } from '../../records/min-uuid.ts'
import { countRecords, readPage } from '../engine/compared-records.ts'
import { decideGroups } from '../engine/decide.ts'
import { proposedPairs } from '../engine/proposals.ts'
import { writeMissingMatchKeys } from '../fill-match-keys.ts'
import { readDuplicateSettings } from '../settings.ts'
import { type PlannedBatch, planBatch, proposeBatch, type ScanInput } from './decide-batch.ts'
import { InlineGroupFinder, ThreadGroupFinder } from './group-finder.ts'
import { PlanThreads } from './plan-threads.ts'
import { saveProgress } from './scans.ts'

/** Another process has ended the scan. */
export class ScanEnded extends Error {
  override name = 'ScanEnded'
}

type ScanTask = {
  org: Org
  context: Context
  entityType: EntityType
  scanId: string
  signal: AbortSignal
}

const recordsPerPage = 5_000
const recordsPerBatch = 400
// Scans of fewer records use no thread: to start one takes up to a second.
const fewRecords = 500
const fewGroups = 100
const manyGroups = 10_000
const progressMs = 1_000
// In bits. The engine may give a pair up to this much more weight than the scan does, because only the scan knows the
// frequency of each value.
const margin = 6
// The approximate shares of reading and comparing in the duration of a scan.
const readingShare = 0.4
const comparingShare = 0.2

/**
 * Compares all records of a type, and proposes or merges duplicates according to the settings. A scan can be repeated
 * from any point, even by several processes at once, with the same result. A batch commits together with its
 * progress, so no proposal or merge is repeated.
 * @throws ScanEnded; the reason of the signal's abort
 */
export async function scan(task: ScanTask): Promise<void> {
  const { org, entityType, signal } = task
  await writeMissingMatchKeys(org, entityType, () => {
    signal.throwIfAborted()
    return false
  })
  const { settings, total } = await org.read(async (tx) => ({
    settings: await readDuplicateSettings(tx, entityType),
    total: await countRecords(tx, entityType),
  }))
  const floor = log2Odds(Math.min(0.999, Math.max(0.001, settings.review_threshold))) - margin
  const options = { entityType, floor, threads: availableParallelism() }
  const finder = total < fewRecords ? new InlineGroupFinder(options) : new ThreadGroupFinder(options, signal)
  const progress = new ProgressReporter(task)
  try {
    for (let after = minUuid; ; ) {
      signal.throwIfAborted()
      const read = await org.read((tx) => readPage(tx, entityType, after, recordsPerPage))
      if (!read) break
      await finder.add(read.page)
      after = read.last
      await progress.report(readingShare * Math.min(1, finder.read / Math.max(1, total)), finder.read)
    }
    const together = await org.read((tx) => proposedPairs(tx, entityType))
    const { groups, pairs } = await finder.finish(together, () =>
      progress.report(readingShare + comparingShare * finder.share, finder.read),
    )
    // Free the memory of the thread before the next step.
    await finder.close()
    const counts = { recordsRead: finder.read, pairsCompared: pairs }
    await decideAll(task, { settings, total }, groups, counts)
    await progress.report(1, counts.recordsRead, counts.pairsCompared)
  } finally {
    await finder.close()
  }
}

/** Writes one batch while threads plan the next ones. */
async function decideAll(
  { org, context, entityType, scanId, signal }: ScanTask,
  input: ScanInput,
  groups: readonly string[][],
  counted: { recordsRead: number; pairsCompared: number },
): Promise<void> {
  const threads = new PlanThreads(threadsFor(groups.length))
  const batches = batchesOf(groups)
  const planned: Promise<PlannedBatch>[] = []
  const planNext = () => {
    const next = batches.next()
    if (next.done) return
    const batch = planBatch(org, threads, entityType, input, next.value)
    // Handle a rejection now: the promise is awaited later, and an unhandled rejection would end the process.
    batch.catch(() => {})
    planned.push(batch)
  }
  let done = 0
  try {
    while (planned.length <= threads.size) {
      const before = planned.length
      planNext()
      if (planned.length === before) break
    }
    for (let first = planned.shift(); first; first = planned.shift()) {
      signal.throwIfAborted()
      const batch = await first
      planNext()
      done += batch.groups.length
      const progress = 1 - (1 - readingShare - comparingShare) * (1 - done / groups.length)
      const merging = await org.transact(async (tx) => {
        const { counts, merging } = await proposeBatch(tx, entityType, batch, context.jobs)
        const { opened, merged } = counts
        if (!(await saveProgress(tx, scanId, { ...counted, progress, opened, merged })))
          throw new ScanEnded('The scan has ended')
        return merging
      })
      for (const group of merging) {
        signal.throwIfAborted()
        await org.transact(async (tx) => {
          const { opened, merged } = await decideGroups(tx, entityType, [group], context.jobs)
          if (!(await saveProgress(tx, scanId, { ...counted, progress, opened, merged })))
            throw new ScanEnded('The scan has ended')
        })
      }
    }
  } finally {
    await threads.close()
    await Promise.allSettled(planned)
  }
}

function threadsFor(groups: number): number {
  if (groups < fewGroups) return 0
  return groups < manyGroups ? 1 : availableParallelism()
}

/** Divides groups into batches of about 400 records. */
function* batchesOf(groups: readonly string[][]): Generator<string[][], void> {
  let batch: string[][] = []
  let records = 0
  for (const group of groups) {
    batch.push(group)
    records += group.length
    if (records < recordsPerBatch) continue
    yield batch
    batch = []
    records = 0
  }
  if (batch.length > 0) yield batch
}

/** Saves the progress at most once a second. */
class ProgressReporter {
  readonly #task: ScanTask
  #savedAt = 0

  constructor(task: ScanTask) {
    this.#task = task
  }

  /** @throws ScanEnded */
  async report(progress: number, recordsRead: number, pairsCompared = 0): Promise<void> {
    if (progress < 1 && performance.now() - this.#savedAt < progressMs) return
    this.#savedAt = performance.now()
    const { org, scanId } = this.#task
    const step = { progress, recordsRead, pairsCompared, opened: 0, merged: 0 }
    const isRunning = await org.transact((tx) => saveProgress(tx, scanId, step))
    if (!isRunning) throw new ScanEnded('The scan has ended')
  }
}
