import { availableParallelism } from 'node:os'
import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import { beforeAll } from '../../records/before-all.ts'
import { consider } from '../deciding/consider.ts'
import { proposedPairs } from '../deciding/proposals.ts'
import type { EntityType } from '../entities.ts'
import { bitsOf } from '../matcher/weigh.ts'
import { readSettings } from '../settings.ts'
import { type LotJudging, type PlannedLot, planLot, proposeLot } from './decide-lot.ts'
import { lacksKeys, writeMissingKeys } from './fill-keys.ts'
import { PlanThreads } from './plan-threads.ts'
import { countRecords, readPage } from './records.ts'
import { ScanHere } from './scan-here.ts'
import { ScanWorker } from './scan-worker.ts'
import { noteStep, type Step } from './scans.ts'

/** Somebody ended the scan: another process that had it as well. */
export class Superseded extends Error {
  override name = 'Superseded'
}

type ScanTask = {
  org: Org
  context: Context
  entityType: EntityType
  scanId: string
  signal: AbortSignal
}

const recordsPerPage = 5_000
const recordsPerLot = 400
// A thread takes up to a second to begin.
const fewRecords = 500
const fewGroups = 100
const manyGroups = 10_000
const noteMs = 1_000
// Bits below what is proposed: the judgement of a pair may be that much kinder than its weight in a set.
const margin = 6
// How much of the time each part takes, about.
const readingPart = 0.4
const comparingPart = 0.2

/**
 * Looks through all records of a kind for those that may be the same, and proposes or merges as the settings say. Run once
 * more, from anywhere on, or by several processes at once, it comes to the same end: what is open or merged already is not
 * opened or merged again, and each lot commits with the note of how far this is.
 * @throws Superseded; whatever the signal aborts with
 */
export async function scan(task: ScanTask): Promise<void> {
  const { org, entityType, signal } = task
  const { orgId } = org
  if (await org.read((tx) => lacksKeys(tx, orgId, entityType))) {
    await writeMissingKeys(org, entityType, () => {
      signal.throwIfAborted()
      return false
    })
  }
  const { settings, total } = await org.read(async (tx) => ({
    settings: await readSettings(tx, orgId, entityType),
    total: await countRecords(tx, orgId, entityType),
  }))
  const floor = bitsOf(Math.min(0.999, Math.max(0.001, settings.review_threshold))) - margin
  const given = { entityType, floor, threads: availableParallelism() }
  const worker = total < fewRecords ? new ScanHere(given) : new ScanWorker(given, signal)
  const notes = new Notes(task)
  try {
    for (let after = beforeAll; ; ) {
      signal.throwIfAborted()
      const read = await org.read((tx) => readPage(tx, orgId, entityType, after, recordsPerPage))
      if (!read) break
      await worker.add(read.page)
      after = read.last
      await notes.note(readingPart * Math.min(1, worker.read / Math.max(1, total)), worker.read)
    }
    const together = await org.read((tx) => proposedPairs(tx, orgId, entityType))
    const { groups, pairs } = await worker.finish(together, () =>
      notes.note(readingPart + comparingPart * worker.share, worker.read),
    )
    // Its memory is not needed any more.
    await worker.close()
    const reached = { recordsRead: worker.read, pairsCompared: pairs }
    await decideAll(task, { settings, total }, groups, reached)
    await notes.note(1, reached.recordsRead, reached.pairsCompared)
  } finally {
    await worker.close()
  }
}

/** Decides about groups, in lots: the next ones are compared while one is written down. */
async function decideAll(
  { org, context, entityType, scanId, signal }: ScanTask,
  judging: LotJudging,
  groups: readonly string[][],
  reached: { recordsRead: number; pairsCompared: number },
): Promise<void> {
  const { orgId } = org
  const threads = new PlanThreads(threadsFor(groups.length))
  const lots = lotsOf(groups)
  const planned: Promise<PlannedLot>[] = []
  const planNext = () => {
    const next = lots.next()
    if (next.done) return
    const lot = planLot(org, threads, entityType, judging, next.value)
    // It is awaited later; a failure until then is not unhandled.
    lot.catch(() => {})
    planned.push(lot)
  }
  let done = 0
  try {
    while (planned.length <= threads.size) {
      const before = planned.length
      planNext()
      if (planned.length === before) break
    }
    while (planned.length > 0) {
      signal.throwIfAborted()
      const lot = await planned.shift()!
      planNext()
      done += lot.groups.length
      const progress = 1 - (1 - readingPart - comparingPart) * (1 - done / groups.length)
      const merging = await org.transact(async (tx) => {
        const { considered, merging } = await proposeLot(tx, orgId, entityType, lot, context.jobs)
        const { opened, merged } = considered
        if (!(await noteStep(tx, orgId, scanId, { ...reached, progress, opened, merged })))
          throw new Superseded('The scan has ended')
        return merging
      })
      for (const group of merging) {
        signal.throwIfAborted()
        await org.transact(async (tx) => {
          const { opened, merged } = await consider(tx, orgId, entityType, [group], context.jobs)
          if (!(await noteStep(tx, orgId, scanId, { ...reached, progress, opened, merged })))
            throw new Superseded('The scan has ended')
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

/** Groups in lots of some hundred records. */
function* lotsOf(groups: readonly string[][]): Generator<string[][], void> {
  let lot: string[][] = []
  let records = 0
  for (const group of groups) {
    lot.push(group)
    records += group.length
    if (records < recordsPerLot) continue
    yield lot
    lot = []
    records = 0
  }
  if (lot.length > 0) yield lot
}

/** Notes how far a scan is, once a second at most, until it comes to decide. */
class Notes {
  readonly #task: ScanTask
  #notedAt = 0

  constructor(task: ScanTask) {
    this.#task = task
  }

  /** @throws Superseded */
  async note(progress: number, recordsRead: number, pairsCompared = 0): Promise<void> {
    if (progress < 1 && performance.now() - this.#notedAt < noteMs) return
    this.#notedAt = performance.now()
    const { org, scanId } = this.#task
    const step: Step = { progress, recordsRead, pairsCompared, opened: 0, merged: 0 }
    const noted = await org.transact((tx) => noteStep(tx, org.orgId, scanId, step))
    if (!noted) throw new Superseded('The scan has ended')
  }
}
