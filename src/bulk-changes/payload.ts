import { z } from 'zod'

export const bulkChangePayload = z.object({ org_id: z.string(), bulk_change_id: z.string() })
export type BulkChangePayload = z.output<typeof bulkChangePayload>
