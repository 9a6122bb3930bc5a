import type { SystemScope } from '../db/system.ts'
import type { Log } from '../log.ts'
import { repeat } from '../repeat.ts'
import { dropExpired } from './kept-answers.ts'

const intervalMs = 60_000
const answersPerDelete = 1_000

/** Deletes every kept answer whose time is over, in small transactions. */
export async function sweepOnce(scope: SystemScope, stopping = () => false): Promise<void> {
  let dropped: number
  do dropped = await scope.transact((tx) => dropExpired(tx, answersPerDelete))
  while (dropped === answersPerDelete && !stopping())
}

/** Sweeps once a minute. Any number of processes may do so at once. Returns how to stop. */
export function sweepAnswers(scope: SystemScope, log: Log): () => Promise<void> {
  return repeat(
    intervalMs,
    (stopping) => sweepOnce(scope, stopping),
    (error) =>
      log.warn(
        { err: error },
        'expired answers were not deleted; they count as absent, and are deleted later',
      ),
  )
}
