import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { sql } from '../platform/db/sql.ts'
import type { Tx } from '../platform/db/tx.ts'
import { insertLink } from './links.ts'

/** A link that makes its user the first owner. `orgName` null: the user also creates the organization. */
export type SetUp = { token: string; orgName: string | null }

/**
 * Creates the set-up link of an installation, and revokes an earlier one. It makes its user the owner of the oldest
 * org. Returns null if any org has an owner.
 * @param tx of the operator, across orgs
 */
export async function createSetUpLink(tx: Tx): Promise<SetUp | null> {
  await lockExclusive(tx, 'set-up link')
  const owners = await tx.run(sql`
    select from membership where role = 'owner' and permissions is null limit 1`)
  if (owners > 0) return null
  await tx.run(sql`delete from link where kind = 'set_up'`)
  const org = await tx.first(sql<{ org_id: string; name: string }>`
    select org_id, name from org where sandbox_of is null order by created_at, org_id limit 1`)
  const { token } = await insertLink(tx, {
    ...{ orgId: org?.org_id ?? null, kind: 'set_up', email: null, role: 'owner' },
    ...{ createdBy: null, invitedByOrg: null },
  })
  return { token, orgName: org?.name ?? null }
}
