import { z } from 'zod'
import type { JobDeclaration } from '../platform/jobs/identity.ts'

const payload = z.object({ org_id: z.string(), sandbox_org_id: z.string() })
export type FillPayload = z.output<typeof payload>

/** Makes the sample data of a sandbox, in the lane of the organization that created the sandbox. */
export const fillSandboxJob: JobDeclaration<FillPayload> = {
  name: 'fill_sandbox',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
}
