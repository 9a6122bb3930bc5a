import type { Tx } from '../platform/db/tx.ts'

/** Forgets what is held of contacts that are being erased: as whom CRMs know them, what the sandbox has, and what CRMs said. */
export async function erasePushes(tx: Tx, orgId: string, contactIds: readonly string[]): Promise<void> {
  const values = [orgId, contactIds]
  // Both tables are found by their connection first.
  const ofContacts = (column: string) => `
    org_id = $1 and connection_id in (select connection_id from crm_connection where org_id = $1)
    and mode in ('live', 'test') and kind in ('lead', 'contact') and ${column} = any ($2::uuid[])`
  await Promise.all([
    tx.run({ text: `delete from crm_link where ${ofContacts('contact_id')}`, values }),
    tx.run({ text: `delete from crm_sandbox_record where ${ofContacts('record_key')}`, values }),
    tx.run({
      text: `
        update crm_job_item set error = ''
        where org_id = $1 and contact_id = any ($2::uuid[]) and error is not null`,
      values,
    }),
  ])
}
