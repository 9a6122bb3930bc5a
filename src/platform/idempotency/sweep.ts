import type { SystemScope } from '../db/system.ts'
import type { Log } from '../log.ts'
import { repeatEvery } from '../repeat-every.ts'
import { deleteExpiredAnswers } from './stored-answers.ts'

const intervalMs = 60_000
const answersPerDelete = 1_000

/** Deletes every expired stored answer, in small transactions. */
export async function sweepOnce(scope: SystemScope, stopping = () => false): Promise<void> {
  let dropped: number
  do dropped = await scope.transact((tx) => deleteExpiredAnswers(tx, answersPerDelete))
  while (dropped === answersPerDelete && !stopping())
}

/** Sweeps once a minute, until the returned function is called. Several processes may sweep at once. */
export function sweepAnswers(scope: SystemScope, log: Log): () => Promise<void> {
  return repeatEvery(
    intervalMs,
    (stopping) => sweepOnce(scope, stopping),
    (error) =>
      log.warn(
        { err: error },
        'expired stored answers were not deleted; requests ignore them, and the next sweep deletes them',
      ),
  )
}
