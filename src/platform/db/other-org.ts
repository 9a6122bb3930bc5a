import type { Actor } from '../actor.ts'
import { OrgTx } from './org-tx.ts'
import { sql } from './sql.ts'

/**
 * Works on another organization within `tx`, so that both organizations' changes commit together.
 * `work` cannot reach the organization of `tx`. Use this function only for an organization that the
 * organization of `tx` owns.
 */
export async function onOtherOrg<Result>(
  tx: OrgTx,
  actor: Actor,
  work: (other: OrgTx) => Promise<Result>,
): Promise<Result> {
  await bind(tx, actor.orgId)
  const result = await work(new OrgTx(tx, actor))
  // Not needed after a failure: the transaction rolls back, and its binding ends with it.
  await bind(tx, tx.orgId)
  return result
}

const bind = (tx: OrgTx, orgId: string) => tx.run(sql`select set_config('app.org_id', ${orgId}, true)`)
