import type { Actor } from '../actor.ts'
import { OrgTx } from './org-tx.ts'
import { sql } from './sql.ts'

/**
 * Works on another organization within `tx`, so that the changes of both commit together. Meanwhile `work` cannot
 * reach the organization of `tx`. Use this only for an organization that the organization of `tx` owns.
 */
export async function onOtherOrg<Result>(
  tx: OrgTx,
  actor: Actor,
  work: (other: OrgTx) => Promise<Result>,
): Promise<Result> {
  await bind(tx, actor.orgId)
  const result = await work(new OrgTx(tx, actor))
  // A failure needs no new binding: the transaction rolls back.
  await bind(tx, tx.orgId)
  return result
}

const bind = (tx: OrgTx, orgId: string) => tx.run(sql`select set_config('app.org_id', ${orgId}, true)`)
