import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import type { Columns } from '../platform/db/tables.ts'

/** Erases the CRM ids of contacts, their sandbox records, and the CRMs' error texts about them. */
export async function erasePushes(tx: OrgTx, contactIds: readonly string[]): Promise<void> {
  // Name all connections and jobs in the conditions, because the indexes begin with these columns.
  const ofContacts = (column: string) => sql`
    org_id = ${tx.orgId} and connection_id in (select connection_id from crm_connection where org_id = ${tx.orgId})
    and mode in ('live', 'test') and kind in ('lead', 'contact') and ${rawSql(column)} = any (${contactIds}::uuid[])`
  await Promise.all([
    // Write items before links, as pushes do: another order could deadlock. Also update items without an outcome, so
    // that a running push and this erasure wait for each other.
    tx.run(sql`
      update crm_job_item set external_id = null, error = case when error is not null then 'null'::json end
      where org_id = ${tx.orgId} and job_id = any (array(select job_id from crm_job where org_id = ${tx.orgId}))
        and contact_id = any (${contactIds}::uuid[])
        and (outcome is null or external_id is not null or error::text <> 'null')`),
    tx.run(sql`delete from crm_link where ${ofContacts('contact_id')}`),
    tx.run(sql`delete from crm_sandbox_record where ${ofContacts('record_key')}`),
  ])
}

/** Erases the data that a push stored about contacts that were erased while it ran. */
export async function eraseErasedDuringPush(tx: OrgTx, contactIds: readonly string[]): Promise<void> {
  const erased = await tx.rows(sql<Columns<'contact', 'contact_id'>>`
    select contact_id from contact
    where org_id = ${tx.orgId} and contact_id = any((select ${contactIds}::uuid[])::uuid[]) and status = 'erased'`)
  const ids = erased.map((row) => row.contact_id)
  if (ids.length > 0) await erasePushes(tx, ids)
}
