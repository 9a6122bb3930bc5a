import { sql } from '../platform/db/sql.ts'
import type { Tx } from '../platform/db/tx.ts'
import { insertLink, lockSetUp } from './links.ts'

/** A link that makes its user the first owner. `orgName` null: the user also creates the organization. */
export type SetUp = { token: string; orgName: string | null }

/**
 * Creates a set-up link of an installation. It makes its user the owner of the oldest org. Several processes may start
 * at the same time, so earlier links stay valid until one is used. Returns null if any org has an owner.
 * @param tx of the operator, across orgs
 */
export async function createSetUpLink(tx: Tx): Promise<SetUp | null> {
  await lockSetUp(tx)
  const owners = await tx.run(sql`
    select from membership where role = 'owner' and permissions is null limit 1`)
  if (owners > 0) return null
  await tx.run(sql`delete from link where kind = 'set_up' and expires_at <= clock_timestamp()`)
  const org = await tx.first(sql<{ org_id: string; name: string }>`
    select org_id, name from org where sandbox_of is null order by created_at, org_id limit 1`)
  const { token } = await insertLink(tx, {
    ...{ orgId: org?.org_id ?? null, kind: 'set_up', email: null, role: 'owner' },
    ...{ createdBy: null, invitedByOrg: null },
  })
  return { token, orgName: org?.name ?? null }
}
