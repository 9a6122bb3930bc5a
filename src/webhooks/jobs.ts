import { useJointOrg } from '../platform/db/joint-transactions.ts'
import type { Org } from '../platform/db/org.ts'
import { type Job, type JobRun, job } from '../platform/jobs/job.ts'
import { DeliveryTurn } from './delivery/delivery-turn.ts'
import { LogQueue } from './delivery/log-queue.ts'
import type { Queue } from './delivery/queue.ts'
import { ReplayQueue } from './delivery/replay-queue.ts'
import { RetryQueue } from './delivery/retries.ts'
import {
  type Delivery,
  deliveryIdentity,
  probeIdentity,
  type Replay,
  replayIdentity,
} from './job-identities.ts'

/** A turn ends after this many events or this much time. Then other endpoints get their turn. */
const turnEvents = 200
const turnMs = 5_000
/** A probe tries two events: the endpoint may refuse only the first event. */
const probeEvents = 2
/** A job fails only if its process or the database fails. A retry waits at most 2 s. */
const retry = { limit: 100, delaySeconds: 1, delayMaxSeconds: 2 }

/** Sends waiting events to an endpoint, for one turn. Never at the same time as a probe of the endpoint. */
export const deliverWebhooks: Job<Delivery> = job({
  ...deliveryIdentity,
  concurrency: 64,
  retry,
  run: (work) =>
    withDeliveryTurn(work, async (turn, org) => {
      if (turn.health.nextProbeAt !== null) return
      const left = await takeTurn(turn, queuesOf(work, turn, org), work.signal)
      if (left.length > 0) await enqueueAgain(work, idsOf(left))
    }),
})

/** Tries an endpoint that is in trouble. Probes have their own concurrency, so that they do not delay working endpoints. */
export const probeWebhooks: Job<Delivery> = job({
  ...probeIdentity,
  concurrency: 16,
  retry,
  run: (work) =>
    withDeliveryTurn(work, async (turn, org) => {
      let isTried = false
      for (const { queue } of queuesOf(work, turn, org)) {
        const { tried } = await turn.deliver(queue, probeEvents)
        isTried = tried > 0 || turn.isOutdated
        if (isTried) break
      }
      if (!isTried && !work.signal.aborted) await turn.endWait()
      if (turn.health.nextProbeAt === null) await enqueueAgain(work, work.payload.source_org_ids)
    }),
})

/** Sends the events of a replay, for one turn, at the same time as new events. */
export const replayWebhooks: Job<Replay> = job({
  ...replayIdentity,
  concurrency: 4,
  retry,
  run: (work) =>
    withDeliveryTurn(work, async (turn) => {
      if (turn.health.nextProbeAt !== null) return
      const { payload, context } = work
      const { database, jobs } = context
      // A separate handle: a replay reads long periods, and must not share transactions with new events.
      const org = database.org(payload.org_id)
      const queue = new ReplayQueue(org, turn.endpoint, payload.replay_id, context.readMembers, (orgId) =>
        database.org(orgId),
      )
      const left = await takeTurn(turn, [{ sourceOrgId: null, queue }], work.signal)
      if (left.length > 0) await org.transact((tx) => jobs.enqueue(tx, replayWebhooks, payload))
    }),
})

/** A queue, and the organization whose event log it reads; null if it reads the logs of several organizations. */
type Source = { sourceOrgId: string | null; queue: Queue }

const idsOf = (sources: readonly Source[]) => sources.flatMap(({ sourceOrgId }) => sourceOrgId ?? [])

/** Calls `act` with the open turn of the endpoint. `org` shares transactions with other delivery turns of the organization. */
async function withDeliveryTurn(
  work: JobRun<{ org_id: string; endpoint_id: string; source_org_ids?: string[] }>,
  act: (turn: DeliveryTurn, org: Org) => Promise<void>,
): Promise<void> {
  const { payload, context } = work
  const { endpoint_id: endpointId, source_org_ids: sourceOrgIds = [] } = payload
  await useJointOrg(context.database, payload.org_id, async (org) => {
    const turn = await DeliveryTurn.open(org, work, { endpointId, sourceOrgIds })
    if (!turn) return
    try {
      await act(turn, org)
    } finally {
      await turn.close()
    }
  })
}

/** Retries come first, because their events are the oldest. */
function queuesOf(
  { payload, context }: JobRun<Delivery>,
  { endpoint, hasRetries, positions }: DeliveryTurn,
  org: Org,
): Source[] {
  const orgOf = (orgId: string) => (orgId === org.orgId ? org : context.database.org(orgId))
  const retries = new RetryQueue(org, endpoint, orgOf)
  const logs = payload.source_org_ids.map((sourceOrgId) => ({
    sourceOrgId,
    queue: new LogQueue(
      org,
      orgOf(sourceOrgId),
      endpoint,
      context.readMembers,
      positions.get(sourceOrgId) ?? null,
    ),
  }))
  return [...(hasRetries ? [{ sourceOrgId: null, queue: retries }] : []), ...logs]
}

/**
 * @returns the sources that may have more events, with an interrupted one at the end; none if the endpoint must wait
 */
async function takeTurn(
  turn: DeliveryTurn,
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<Source[]> {
  const end = performance.now() + turnMs
  let tried = 0
  for (const [index, source] of sources.entries()) {
    for (;;) {
      if (signal.aborted || tried >= turnEvents || performance.now() >= end)
        return [...sources.slice(index + 1), source]
      const batch = await turn.deliver(source.queue)
      tried += batch.tried
      if (turn.health.nextProbeAt !== null || turn.health.status === 'disabled') return []
      if (turn.isOutdated) return [...sources.slice(index + 1), source]
      if (!batch.hasMore) break
    }
  }
  return []
}

/** Enqueues the next turn, which also sends due retries. */
async function enqueueAgain(
  { payload, context }: JobRun<Delivery>,
  sourceOrgIds: readonly string[],
): Promise<void> {
  const next = { ...payload, source_org_ids: [...sourceOrgIds] }
  await context.database.org(payload.org_id).transact((tx) => context.jobs.enqueue(tx, deliverWebhooks, next))
}
