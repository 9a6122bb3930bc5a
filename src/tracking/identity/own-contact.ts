import { contacts } from '../../contacts/contacts.ts'
import { visitorSystem } from '../../normalize/visitor-system.ts'
import { lockExclusive } from '../../platform/db/advisory-lock.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { firstIdAt } from '../../platform/db/uuid-time.ts'
import { newColumns, readOrgDefaults } from '../../records/create.ts'
import { insertRecords } from '../../records/insert.ts'
import { lockIfPresent } from '../../records/lock.ts'
import type { Fields, OrgDefaults, StoredRecord } from '../../records/record-type.ts'
import { resolvedFields } from '../../records/resolved-fields.ts'
import { updateRecords } from '../../records/write.ts'

/** The maximum number of contacts that the visitors of an organization make in a UTC day. */
const newContactsMax = 1_000

/** `full`: the visitors of the organization made their maximum of contacts today, so nothing was written. */
export type OwnContact =
  | { outcome: 'created' | 'updated'; contactId: string }
  | { outcome: 'full'; contactId: null }

/**
 * Creates or updates the visitor's own contact: an active contact that statements of this visitor made, and that no other
 * contact was merged with. Never writes another contact. The sent values replace the stored ones. After a person merged
 * the own contact, the next statement makes a new one: otherwise a visitor could write to the person.
 *
 * Everybody can send statements, so a write must not tell which contacts exist. External ids and values of unique fields are
 * left out.
 * @param fields fields of `POST /contacts`, validated, without references to other records
 * @param newMax nothing is created if visitors made that many contacts today
 * @throws ValidationError for values that are invalid together, or for a list that is full
 */
export async function upsertOwnContact(
  tx: OrgTx,
  {
    visitorId,
    fields: sent,
    newMax = newContactsMax,
  }: { visitorId: string; fields: Fields; newMax?: number },
): Promise<OwnContact> {
  await lockExclusive(tx, lockName(tx, visitorId))
  const orgDefaults = await readOrgDefaults(tx, contacts, [sent])
  const fields = resolvedFields(withoutIds(sent, orgDefaults), orgDefaults)
  const stored = await lockOwn(tx, visitorId)
  if (stored) {
    const state = contacts.apply(stored.state, fields, orgDefaults, false)
    contacts.check(stored.state, state, orgDefaults)
    const write = { recordId: stored.recordId, fields, orgDefaults, add: false }
    await updateRecords(tx, contacts, [{ stored, state, write }])
    return { outcome: 'updated', contactId: stored.recordId }
  }
  if (await isFull(tx, newMax)) return { outcome: 'full', contactId: null }
  const named = { source: 'website', ...fields, external_ids: { [visitorSystem]: visitorId } }
  const state = { ...newColumns(contacts, named, orgDefaults), claimed_by: visitorId }
  const [contactId = ''] = await insertRecords(tx, contacts, [state])
  return { outcome: 'created', contactId }
}

/** The id of the own contact of a visitor, which stays locked; null: there is none. */
export async function findOwnContact(tx: OrgTx, visitorId: string): Promise<string | null> {
  await lockExclusive(tx, lockName(tx, visitorId))
  return (await lockOwn(tx, visitorId))?.recordId ?? null
}

/** A person says that the own contact is right: from then on, it is a contact like all others. */
export async function confirmOwnContact(tx: OrgTx, visitorId: string): Promise<void> {
  await lockExclusive(tx, lockName(tx, visitorId))
  const stored = await lockOwn(tx, visitorId)
  if (!stored) return
  const orgDefaults = await readOrgDefaults(tx, contacts, [])
  const write = { recordId: stored.recordId, fields: {}, orgDefaults, add: false }
  await updateRecords(tx, contacts, [{ stored, state: { ...stored.state, claimed_by: null }, write }])
}

const lockName = ({ orgId }: OrgTx, visitorId: string) => `own contact of visitor ${orgId} ${visitorId}`

/** The id of the own contact of a visitor; null: there is none. */
export async function readOwnContact(tx: OrgTx, visitorId: string): Promise<string | null> {
  const row = await tx.first(sql<{ contact_id: string }>`
    select contact_id from contact c
    where org_id = ${tx.orgId} and claimed_by = ${visitorId} and status = 'active' and not exists (
      select from contact m where m.org_id = ${tx.orgId} and m.merged_into_id = c.contact_id)
    order by contact_id limit 1`)
  return row?.contact_id ?? null
}

/** Locks the own contact of a visitor; null: there is none. */
async function lockOwn(tx: OrgTx, visitorId: string): Promise<StoredRecord | null> {
  const contactId = await readOwnContact(tx, visitorId)
  const stored = contactId === null ? null : await lockIfPresent(tx, contacts, contactId)
  if (!stored) return null
  // Somebody may have merged, archived or confirmed the contact before the lock.
  const isOwn =
    stored.recordId === contactId &&
    stored.status === 'active' &&
    stored.state.claimed_by === visitorId &&
    (stored.cluster?.members.size ?? 1) === 1
  return isOwn ? stored : null
}

/** Concurrent statements may exceed the maximum by a few contacts. */
async function isFull(tx: OrgTx, max: number): Promise<boolean> {
  const dayStart = Math.floor(Date.now() / 86_400_000) * 86_400
  const row = await tx.first(sql<{ made: number }>`
    select count(*)::int as made from (
      select from contact
      where org_id = ${tx.orgId} and claimed_by is not null and contact_id >= ${firstIdAt(dayStart)}::uuid
      limit ${max}) as today`)
  return (row?.made ?? 0) >= max
}

/**
 * Without external ids and values of unique fields. A refusal of a taken value would tell that a contact exists, and a stored
 * value would block its owner.
 */
function withoutIds({ external_ids: _ids, ...fields }: Fields, { definitions = [] }: OrgDefaults): Fields {
  if (!fields.custom) return fields
  const unique = new Set(
    definitions.filter(({ unique_index: index }) => index !== null).map(({ key }) => key),
  )
  const custom = Object.entries(fields.custom).filter(([key]) => !unique.has(key))
  return { ...fields, custom: Object.fromEntries(custom) }
}
