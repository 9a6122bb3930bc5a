import { z } from 'zod'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { type Job, job } from '../../platform/jobs/job.ts'
import { runTurn } from '../../platform/jobs/run-turn.ts'
import { serialKeyOf } from '../connections.ts'

const payload = z.object({ org_id: z.string(), connection_id: z.string() })
const rowsPerStep = 5_000
const tables = ['crm_link', 'crm_sandbox_record'] as const

/** Deletes the external links and the sandbox records of a deleted connection, in turns of a second. */
export const forgetConnection: Job<z.output<typeof payload>> = job({
  name: 'crm_forget_connection',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  // Wait until a push over the connection has ended its turn.
  serialKey: ({ connection_id: connectionId }) => serialKeyOf(connectionId),
  run: async (work) => {
    const { org_id: orgId, connection_id: connectionId } = work.payload
    const org = work.org(orgId)
    await runTurn(work, () => org.transact((tx) => deleteNext(tx, connectionId)))
  },
})

/** Deletes the next rows of one table. Returns true if none is left. */
async function deleteNext(tx: OrgTx, connectionId: string): Promise<boolean> {
  for (const table of tables) if ((await deleteSome(tx, table, connectionId)) > 0) return false
  return true
}

function deleteSome(tx: OrgTx, name: (typeof tables)[number], connectionId: string): Promise<number> {
  const table = rawSql(name)
  return tx.run(sql`
    delete from ${table} where org_id = ${tx.orgId} and ctid = any (array(
      select ctid from ${table} where org_id = ${tx.orgId} and connection_id = ${connectionId} limit ${rawSql(String(rowsPerStep))}
    ))`)
}
