import { z } from 'zod'
import type { JobIdentity } from '../../platform/jobs/identity.ts'

const payload = z.object({ org_id: z.string(), mode: z.enum(['live', 'test']) })
type Payload = z.output<typeof payload>

/**
 * One job at a time runs for each org and mode, so two pushes of a mailbox never install at once. A push installs the
 * mailbox as it is when the install starts.
 */
export const installSignatures: JobIdentity<Payload> & { serialKey(payload: Payload): string } = {
  name: 'install_signatures',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ org_id: orgId, mode }) => `${mode} signatures of ${orgId}`,
}
