import { deleteKeysOfAgency } from '../keys/keys.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { onOtherOrg } from '../platform/db/other-org.ts'
import { sql } from '../platform/db/sql.ts'
import { actorIn } from './sandboxes.ts'

/**
 * Deletes the keys that an agency made in the organization or in its sandboxes, and the keys that these keys made.
 * Returns the keys of the organization first.
 */
export async function deleteAllKeysOfAgency(
  tx: OrgTx,
  agencyOrgId: string,
): Promise<{ api_key_id: string; name: string }[]> {
  const deleted = await deleteKeysOfAgency(tx, agencyOrgId)
  // Read them after the keys are gone: until then, a key can make another sandbox.
  const sandboxes = await tx.rows(sql<{ sandbox_org_id: string }>`
    select sandbox_org_id from sandbox where org_id = ${tx.orgId} and status <> 'deleted' order by sandbox_org_id`)
  for (const { sandbox_org_id: orgId } of sandboxes)
    deleted.push(...(await onOtherOrg(tx, actorIn(orgId), (other) => deleteKeysOfAgency(other, agencyOrgId))))
  return deleted
}
