import { fillWithSample } from '../demo/sample.ts'
import { onOtherOrg } from '../platform/db/other-org.ts'
import { type Job, job } from '../platform/jobs/job.ts'
import { type FillPayload, fillSandboxJob } from './fill-job.ts'
import { actorIn, finishPreparing, lockPreparing } from './sandboxes.ts'

/** How much sample data a sandbox gets. More would block the thread for too long. */
const size = { seed: 1, contacts: 300, companies: 25, deals: 40 }

/** Makes the sample data of a sandbox, in one transaction. */
export const fillSandbox: Job<FillPayload> = job({
  ...fillSandboxJob,
  run: async ({ payload: { org_id: orgId, sandbox_org_id: sandboxOrgId }, org }) => {
    await org(orgId).transact(async (tx) => {
      if (!(await lockPreparing(tx, sandboxOrgId))) return
      await onOtherOrg(tx, actorIn(sandboxOrgId), (sandbox) => fillWithSample(sandbox, size))
      await finishPreparing(tx, sandboxOrgId, 'ready')
    })
  },
  abandoned: async ({ payload: { org_id: orgId, sandbox_org_id: sandboxOrgId }, context }) => {
    await context.database.org(orgId).transact((tx) => finishPreparing(tx, sandboxOrgId, 'failed'))
  },
})
