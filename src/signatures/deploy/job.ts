import { job } from '../../platform/jobs/job.ts'
import { requeueInterrupted } from './claims.ts'
import { installSignatures } from './install-signatures.ts'
import { type EnqueueTurn, Installer } from './installer.ts'
import { failAll } from './outcomes.ts'

/** Installs due signatures for one turn. Enqueues another turn if more are due now, or become due later. */
export const installSignaturesJob = job({
  ...installSignatures,
  // High, because the job mostly waits for other services.
  concurrency: 16,
  run: async ({ payload, context, signal }) => {
    const org = context.database.org(payload.org_id, { mode: payload.mode })
    const enqueueTurn: EnqueueTurn = (tx, startAfter) =>
      context.jobs.enqueue(tx, installSignatures, payload, startAfter && { startAfter })
    await org.transact(requeueInterrupted)
    const hasMore = await new Installer(context, org, enqueueTurn).installAll(signal)
    if (hasMore) await org.transact(enqueueTurn)
  },
  abandoned: async ({ payload: { org_id: orgId, mode }, context }) => {
    const message = 'Installing failed too often; the server’s log says why. Push the mailbox again.'
    const org = context.database.org(orgId, { mode })
    await org.transact((tx) => failAll(tx, { code: 'internal_error', message }))
  },
})
