import { onEventsCommitted } from '../events/wake.ts'
import type { Context } from '../platform/context.ts'
import { repeatAfterCommits } from '../platform/db/repeat-after-commits.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import {
  type DueEndpoint,
  deleteOld,
  hasEndpoints,
  type Logs,
  nextDueEndpoint,
  readAgencies,
  readDueEndpoints,
  readDueReplays,
} from './delivery/due.ts'
import { isBusyWriting } from './delivery/throttle.ts'
import { deliveryIdentity, probeIdentity, replayIdentity } from './job-identities.ts'

// Poll: with NOTIFY, the commits of writers would wait for each other.
const pollMs = 250
/** Commits of this process within this time are handled together. */
const gatherMs = 10
const deleteEveryMs = 60_000
/** After reading the logs of an agency's clients, the next read waits this many times as long as the read took. */
const clientsPause = 20

/**
 * Finds endpoints with events to send, and enqueues their jobs. It runs four times a second, and shortly after each
 * commit of this process that wrote events. Also deletes old rows. Many processes can run this at once.
 * @returns a function that stops it
 */
export function pollEndpoints(scope: SystemScope, context: Context): () => Promise<void> {
  const warn = (what: string) => (error: unknown) => context.log.warn({ err: error }, what)
  const notEnqueued = warn('no jobs for webhook endpoints could be enqueued; retrying')
  const committed = new Set<string>()
  let gathering: NodeJS.Timeout | null = null
  let looking: Promise<void> = Promise.resolve()
  const lookAtCommitted = () => {
    const orgIds = [...committed]
    committed.clear()
    looking = enqueueDeliveries(scope, context, { committed: orgIds })
      .catch(notEnqueued)
      .then(() => {
        gathering = null
        if (committed.size > 0) gather()
      })
  }
  const gather = () => {
    gathering ??= setTimeout(lookAtCommitted, gatherMs)
  }
  const forget = onEventsCommitted((orgId) => {
    // A busy process only polls.
    if (isBusyWriting()) return
    committed.add(orgId)
    gather()
  })
  const poll = { everyMs: pollMs, nextDue: nextDueEndpoint }
  const lookAtOwn = () => enqueueDeliveries(scope, context, 'own')
  const stopLooking = repeatAfterCommits(scope, poll, lookAtOwn, notEnqueued)
  const lookAtClients = clientPoll(scope, context)
  const stopClients = repeatAfterCommits(scope, poll, lookAtClients, notEnqueued)
  const notDeleted = warn('old attempts of webhooks could not be deleted; retrying')
  const stopDeleting = repeatEvery(deleteEveryMs, (stopping) => deleteOldRows(scope, stopping), notDeleted)
  return async () => {
    forget()
    // Nothing is left to do after the run that is in progress.
    committed.clear()
    if (gathering) clearTimeout(gathering)
    await Promise.all([stopLooking(), stopClients(), stopDeleting(), looking])
  }
}

/**
 * Returns a function that polls the logs of clients, one agency after another. An agency with 50 endpoints and 10,000
 * clients has 500,000 positions. So the next poll of an agency waits in proportion to the duration of the last one,
 * which keeps other endpoints fast.
 */
function clientPoll(
  scope: SystemScope,
  context: Pick<Context, 'jobs'>,
): (stopping: () => boolean) => Promise<'finished' | 'unfinished'> {
  const notBefore = new Map<string, number>()
  return async (stopping) => {
    const agencyIds = await scope.read(readAgencies)
    for (const agencyId of notBefore.keys()) if (!agencyIds.includes(agencyId)) notBefore.delete(agencyId)
    let waits = false
    for (const agencyId of agencyIds) {
      const began = performance.now()
      if (stopping()) break
      if (began < (notBefore.get(agencyId) ?? 0)) {
        waits = true
        continue
      }
      await enqueueDeliveries(scope, context, { clientsOf: agencyId }).finally(() => {
        const end = performance.now()
        notBefore.set(agencyId, end + clientsPause * (end - began))
      })
    }
    return waits ? 'unfinished' : 'finished'
  }
}

/** Enqueues a job for each endpoint with events in `logs` to send. With `own`, also retries and replays. */
async function enqueueDeliveries(
  scope: SystemScope,
  { jobs }: Pick<Context, 'jobs'>,
  logs: Logs,
): Promise<void> {
  if (!(await hasEndpoints(scope))) return
  const [due, replays] = await scope.read((tx) =>
    Promise.all([readDueEndpoints(tx, logs), logs === 'own' ? readDueReplays(tx) : []]),
  )
  if (due.length === 0 && replays.length === 0) return
  const payloadOf = ({ probes: _, ...payload }: DueEndpoint) => payload
  const [probes, working] = [due.filter((each) => each.probes), due.filter((each) => !each.probes)]
  await scope.transact(async (tx) => {
    if (working.length > 0) await jobs.enqueueMissing(tx, deliveryIdentity, working.map(payloadOf))
    if (probes.length > 0) await jobs.enqueueMissing(tx, probeIdentity, probes.map(payloadOf))
    if (replays.length > 0) await jobs.enqueueMissing(tx, replayIdentity, replays)
  })
}

/** Deletes attempts and replays after 7 days, and the sums of hours after 90 days. */
export async function deleteOldRows(
  scope: SystemScope,
  stopping: () => boolean = () => false,
): Promise<void> {
  while ((await scope.transact(deleteOld)) && !stopping());
}
