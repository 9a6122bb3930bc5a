import { validate as isUuid } from 'uuid'
import { emailKey } from '../../normalize/email.ts'
import { visitorSystem } from '../../normalize/visitor-system.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import { isUserId } from '../erasure/contacts.ts'

type Named = Columns<'contact', 'contact_id' | 'emails' | 'external_ids' | 'claimed_by'>

/** Everything with which events, facts and visitors refer to a contact and to the contacts that it absorbed. */
export type ContactKeys = {
  contactIds: string[]
  /** The `userId`s of events: the ids of these contacts, their addresses (as written and normalized) and external ids. */
  userKeys: string[]
  /** The visitors who made one of these contacts. */
  visitorIds: string[]
}

/** The keys of the contact with this id. Empty if there is no such contact. */
export async function keysOfContact(tx: OrgTx, contactId: string): Promise<ContactKeys> {
  const members = await tx.rows(sql<Named>`
    with shown as (
      select coalesce(merged_into_id, contact_id) as contact_id from contact
      where org_id = ${tx.orgId} and contact_id = ${contactId}
    )
    select c.contact_id, c.emails, c.external_ids, c.claimed_by from shown s
    join contact c on c.org_id = ${tx.orgId} and (c.contact_id = s.contact_id or c.merged_into_id = s.contact_id)`)
  return keysOf(members)
}

/** The keys of the records of one person. */
export const keysOf = (records: readonly Named[]): ContactKeys => ({
  contactIds: unique(records, ({ contact_id: id }) => [id]),
  userKeys: unique(records, userKeysOf),
  visitorIds: unique(records, visitorsIn),
})

const unique = (records: readonly Named[], read: (record: Named) => string[]) => [
  ...new Set(records.flatMap(read)),
]

const userKeysOf = ({ contact_id: id, emails, external_ids: externalIds }: Named): string[] => [
  ...[id, ...emails, ...emails.map(emailKey)],
  ...Object.entries(externalIds as Record<string, string>)
    .filter(isUserId)
    .map(([, externalId]) => externalId),
]

/** After a merge with another contact, only the external id still names the visitor. */
function visitorsIn({ claimed_by: visitorId, external_ids: externalIds }: Named): string[] {
  const { [visitorSystem]: named } = externalIds as Record<string, string>
  return [visitorId, named].filter((id) => id !== null && isUuid(id)) as string[]
}
