import type { SystemScope } from '../../platform/db/system.ts'
import { firstIdAt } from '../../platform/db/uuid-time.ts'
import type { EventRetention } from '../../platform/event-retention.ts'
import type { Log } from '../../platform/log.ts'
import { exportMonth, verifyExport } from './export-month.ts'
import {
  claimMonth,
  closeMonth,
  dropMonth,
  type Exported,
  type Month,
  readExport,
  readOldMonths,
  releaseMonth,
  storeExport,
} from './months.ts'

const daySeconds = 86_400

/**
 * Exports and drops the months that ended more than `days` ago, oldest first. Several processes may do this at once.
 * @returns the names of the dropped months
 */
export async function dropOldMonths(
  scope: SystemScope,
  log: Log,
  { days, folder }: EventRetention,
  { stopping = (): boolean => false, now = Date.now() } = {},
): Promise<string[]> {
  const keptFrom = firstIdAt(Math.max(0, Math.floor(now / 1000) - days * daySeconds))
  const dropped: string[] = []
  for (const month of await scope.read((tx) => readOldMonths(tx, keptFrom))) {
    if (stopping()) break
    await scope.transact((tx) => closeMonth(tx, month))
    const late = await scope.transact((tx) => claimMonth(tx, month))
    // Another process is dropping this month.
    if (late === null) break
    try {
      if (!(await dropOne(scope, log, month, { folder, late, stopping }))) break
      dropped.push(month.name)
      log.info({ month: month.name }, 'an old month of the event log was dropped')
    } finally {
      await scope.transact((tx) => releaseMonth(tx, month))
    }
  }
  return dropped
}

type Work = { folder: string | null; late: number; stopping: () => boolean }

async function dropOne(scope: SystemScope, log: Log, month: Month, work: Work): Promise<boolean> {
  const known = await scope.read((tx) => readExport(tx, month))
  const isComplete = known !== null && (known.file !== null || work.folder === null)
  if (!isComplete || !(await isReadable(log, known))) {
    const done = await exportMonth(scope, month, work)
    // A late event came meanwhile: the next run exports the month again.
    if (!(await scope.transact((tx) => storeExport(tx, month, done)))) return false
  }
  return scope.transact((tx) => dropMonth(tx, month))
}

async function isReadable(log: Log, exported: Exported): Promise<boolean> {
  try {
    await verifyExport(exported)
    return true
  } catch (error) {
    log.warn(
      { err: error },
      'an export of a month of the event log is missing or damaged; it is written again',
    )
    return false
  }
}
