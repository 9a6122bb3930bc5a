import type { Actor } from '../actor.ts'
import type { OrgTx } from './org-tx.ts'
import type { RoleName } from './roles.ts'
import { sql } from './sql.ts'

/** The value of the setting app.record_access, which says whose records crosswalk_limited sees (migration 0072). */
export const accessSetting = ({
  recordAccess,
  memberId,
}: Pick<Actor, 'recordAccess' | 'memberId'>): string => (recordAccess ? `${recordAccess} ${memberId}` : '')

/** The transactions that reach all records at the moment. */
const reachingAll = new WeakSet<OrgTx>()

/**
 * Runs `work` on all records of the organization, although the member of `tx` reaches only some: a merge must also move
 * the references that the member does not see. A request must still name and get only records that the member sees:
 * check the named records before the call, or let `work` itself find only records that the member sees. Send no other
 * statement meanwhile.
 */
export async function onAllRecords<Result>(tx: OrgTx, work: () => Promise<Result>): Promise<Result> {
  if (tx.actor.recordAccess === undefined || reachingAll.has(tx)) return work()
  reachingAll.add(tx)
  await setRole(tx, 'crosswalk_app')
  try {
    return await work()
  } finally {
    reachingAll.delete(tx)
    // If a statement failed, the transaction cannot commit, and the first error is the one to report.
    await setRole(tx, 'crosswalk_limited').catch(() => {})
  }
}

/** Restores the limit of a transaction after a rollback to a savepoint that was set within `onAllRecords`. */
export async function limitAgain(tx: OrgTx): Promise<void> {
  if (tx.actor.recordAccess !== undefined && !reachingAll.has(tx)) await setRole(tx, 'crosswalk_limited')
}

const setRole = (tx: OrgTx, role: RoleName) => tx.run(sql`select set_config('role', ${role}, true)`)
