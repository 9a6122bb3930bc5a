import { anyOf } from '../platform/db/any-of.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'

/** Forgets what is held of contacts that are being erased: as whom CRMs know them, what the sandbox has, and what CRMs said. */
export async function erasePushes(tx: OrgTx, orgId: string, contactIds: readonly string[]): Promise<void> {
  const values = [orgId, contactIds]
  // Tables are found by their connection, or job, first.
  const ofContacts = (column: string) => `
    org_id = $1 and connection_id in (select connection_id from crm_connection where org_id = $1)
    and mode in ('live', 'test') and kind in ('lead', 'contact') and ${column} = any ($2::uuid[])`
  await Promise.all([
    // First, as whoever writes down what became of them begins there; and those of whom nothing was heard too, so that one
    // waits for the other.
    tx.run({
      text: `
        update crm_job_item set external_id = null, error = case when error is not null then 'null'::json end
        where org_id = $1 and job_id = any (array(select job_id from crm_job where org_id = $1))
          and contact_id = any ($2::uuid[]) and (outcome is null or external_id is not null or error::text <> 'null')`,
      values,
    }),
    tx.run({ text: `delete from crm_link where ${ofContacts('contact_id')}`, values }),
    tx.run({ text: `delete from crm_sandbox_record where ${ofContacts('record_key')}`, values }),
  ])
}

/** Forgets those of some contacts who were erased while they were pushed. */
export async function eraseLate(tx: OrgTx, orgId: string, contactIds: readonly string[]): Promise<void> {
  const erased = await tx.rows<{ contact_id: string }>({
    text: `select contact_id from contact where org_id = $1 and contact_id = ${anyOf('$2')} and status = 'erased'`,
    values: [orgId, contactIds],
  })
  const ids = erased.map((row) => row.contact_id)
  if (ids.length > 0) await erasePushes(tx, orgId, ids)
}
