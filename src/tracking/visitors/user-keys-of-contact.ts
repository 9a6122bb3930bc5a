import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import { isUserId } from '../erasure/contacts.ts'

type Named = Columns<'contact', 'contact_id' | 'emails' | 'external_ids'>

/**
 * The `userId`s under which events may refer to a contact, or to one that it absorbed: its ids, addresses and external
 * ids. Empty if there is no such contact.
 */
export async function userKeysOfContact(tx: OrgTx, contactId: string): Promise<string[]> {
  const members = await tx.rows(sql<Named>`
    with shown as (
      select coalesce(merged_into_id, contact_id) as contact_id from contact
      where org_id = ${tx.orgId} and contact_id = ${contactId}
    )
    select c.contact_id, c.emails, c.external_ids from shown s
    join contact c on c.org_id = ${tx.orgId} and (c.contact_id = s.contact_id or c.merged_into_id = s.contact_id)`)
  const keys = members.flatMap(({ contact_id: id, emails, external_ids: externalIds }) => [
    id,
    ...emails,
    ...Object.entries(externalIds as Record<string, string>)
      .filter(isUserId)
      .map(([, externalId]) => externalId),
  ])
  return [...new Set(keys)]
}
