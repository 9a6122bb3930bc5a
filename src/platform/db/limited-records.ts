import type { Actor } from '../actor.ts'
import type { OrgTx } from './org-tx.ts'
import { sql } from './sql.ts'

/** The value of the setting app.record_access, by which row-level security decides (migration 0067). */
export const accessSetting = ({
  recordAccess,
  memberId,
}: Pick<Actor, 'recordAccess' | 'memberId'>): string => (recordAccess ? `${recordAccess} ${memberId}` : '')

/** The transactions that reach all records at the moment. */
const reachingAll = new WeakSet<OrgTx>()

/**
 * Runs `work` on all records of the organization, although the member of `tx` reaches only some: a merge must also move
 * the references that the member does not see. Check first that the member sees the records that the request names, and
 * send no other statement meanwhile.
 */
export async function onAllRecords<Result>(tx: OrgTx, work: () => Promise<Result>): Promise<Result> {
  const access = accessSetting(tx.actor)
  if (access === '' || reachingAll.has(tx)) return work()
  reachingAll.add(tx)
  await setAccess(tx, '')
  try {
    return await work()
  } finally {
    reachingAll.delete(tx)
    // If a statement failed, the transaction cannot commit, and the first error is the one to report.
    await setAccess(tx, access).catch(() => {})
  }
}

const setAccess = (tx: OrgTx, access: string) =>
  tx.run(sql`select set_config('app.record_access', ${access}, true)`)
