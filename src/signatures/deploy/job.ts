import { z } from 'zod'
import { type Job, job } from '../../platform/jobs/job.ts'
import { type ComeAgain, Installer } from './installer.ts'
import { failAll } from './settle.ts'
import { takeBack } from './take.ts'

const payload = z.object({ org_id: z.string(), mode: z.enum(['live', 'test']) })

/**
 * Installs the signatures of an org that are due, for a turn, and comes again for those that have to wait. One run at a
 * time for each org and mode: two pushes of a mailbox never install at once, and each installs what the mailbox is when it begins.
 */
export const installSignatures: Job<z.output<typeof payload>> = job({
  name: 'install_signatures',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ org_id: orgId, mode }) => `${mode} signatures of ${orgId}`,
  // They wait for other services most of the time.
  concurrency: 16,
  run: async ({ payload: { org_id: orgId, mode }, context, signal }) => {
    const lane = { orgId, mode }
    const org = context.database.org(orgId)
    const comeAgain: ComeAgain = (tx, startAfter) =>
      context.jobs.enqueue(tx, installSignatures, { org_id: orgId, mode }, startAfter && { startAfter })
    await org.transact((tx) => takeBack(tx, lane))
    const hasMore = await new Installer(context, org, lane, comeAgain).installAll(signal)
    if (hasMore) await org.transact(comeAgain)
  },
  abandoned: async ({ payload: { org_id: orgId, mode }, context }) => {
    const message = 'Installing broke off again and again; the server’s log says why. Push it once more.'
    await context.database.org(orgId).transact((tx) => failAll(tx, { orgId, mode }, message))
  },
})
