import { z } from 'zod'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { type Job, job } from '../../platform/jobs/job.ts'
import { serialKeyOf } from '../connections.ts'

const payload = z.object({ org_id: z.string(), connection_id: z.string() })
const lotSize = 5_000

/** Forgets whom the CRM of a connection that was deleted knew, and what the sandbox has of it. */
export const forgetConnection: Job<z.output<typeof payload>> = job({
  name: 'crm_forget_connection',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  // Behind a push that is still at work.
  serialKey: ({ connection_id: connectionId }) => serialKeyOf(connectionId),
  run: async ({ payload: { org_id: orgId, connection_id: connectionId }, context, signal }) => {
    const org = context.database.org(orgId)
    for (const table of ['crm_link', 'crm_sandbox_record'] as const) {
      let forgotten: number
      do {
        signal.throwIfAborted()
        forgotten = await org.transact((tx) => forgetSome(tx, table, orgId, connectionId))
      } while (forgotten > 0)
    }
  },
})

function forgetSome(
  tx: OrgTx,
  table: 'crm_link' | 'crm_sandbox_record',
  orgId: string,
  connectionId: string,
): Promise<number> {
  return tx.run({
    text: `
      delete from ${table} where org_id = $1 and ctid = any (array(
        select ctid from ${table} where org_id = $1 and connection_id = $2 limit ${lotSize}
      ))`,
    values: [orgId, connectionId],
  })
}
