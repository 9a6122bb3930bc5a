import { z } from 'zod'
import type { JobIdentity } from '../platform/jobs/identity.ts'

const payload = z.object({ org_id: z.string(), sandbox_org_id: z.string() })
export type FillPayload = z.output<typeof payload>

/** Creates a sandbox's sample data, in the lane of the organization that owns the sandbox. */
export const fillSandboxJob: JobIdentity<FillPayload> = {
  name: 'fill_sandbox',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
}
