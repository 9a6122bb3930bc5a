import { z } from 'zod'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { type Job, job } from '../../platform/jobs/job.ts'
import { serialKeyOf } from '../connections.ts'

const payload = z.object({ org_id: z.string(), connection_id: z.string() })
const rowsAtOnce = 5_000

/** Deletes the external links and the sandbox records of a deleted connection. */
export const forgetConnection: Job<z.output<typeof payload>> = job({
  name: 'crm_forget_connection',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  // Wait until a push over the connection has ended its turn.
  serialKey: ({ connection_id: connectionId }) => serialKeyOf(connectionId),
  run: async ({ payload: { org_id: orgId, connection_id: connectionId }, context, signal }) => {
    const org = context.database.org(orgId)
    for (const table of ['crm_link', 'crm_sandbox_record'] as const) {
      let deleted: number
      do {
        signal.throwIfAborted()
        deleted = await org.transact((tx) => deleteSome(tx, table, connectionId))
      } while (deleted > 0)
    }
  },
})

function deleteSome(
  tx: OrgTx,
  name: 'crm_link' | 'crm_sandbox_record',
  connectionId: string,
): Promise<number> {
  const table = rawSql(name)
  return tx.run(sql`
    delete from ${table} where org_id = ${tx.orgId} and ctid = any (array(
      select ctid from ${table} where org_id = ${tx.orgId} and connection_id = ${connectionId} limit ${rawSql(String(rowsAtOnce))}
    ))`)
}
