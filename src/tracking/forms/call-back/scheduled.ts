import { z } from 'zod'
import type { JobIdentity } from '../../../platform/jobs/identity.ts'

const payload = z.object({ org_id: z.string(), request_id: z.string() })

/** Calls the person of a scheduled request. The calls of an organization are placed one after another. */
export const placeCallBackJob: JobIdentity<z.output<typeof payload>> = {
  name: 'place_call_back',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ org_id: orgId }) => `call-backs ${orgId}`,
}
