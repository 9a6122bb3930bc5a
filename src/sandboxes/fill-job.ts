import { z } from 'zod'
import type { JobIdentity } from '../platform/jobs/identity.ts'

const payload = z.object({ org_id: z.string(), sandbox_org_id: z.string() })
export type FillPayload = z.output<typeof payload>

/** The job that makes the sample data of a sandbox. It runs in the lane of the organization that created the sandbox. */
export const fillSandboxJob: JobIdentity<FillPayload> = {
  name: 'fill_sandbox',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
}
