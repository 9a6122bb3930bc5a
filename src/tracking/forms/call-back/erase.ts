import type { OrgTx } from '../../../platform/db/org-tx.ts'
import { sql } from '../../../platform/db/sql.ts'

/** Erases the requests of erased contacts, and all other requests of the same visitors. */
export async function eraseRequests(tx: OrgTx, contactIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    delete from call_back_request where org_id = ${tx.orgId} and visitor_id in (
      select visitor_id from form_submission where org_id = ${tx.orgId} and contact_id = any (${contactIds}::uuid[]))`)
}
