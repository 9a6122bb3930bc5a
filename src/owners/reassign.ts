import { companies } from '../companies/companies.ts'
import { contacts } from '../contacts/contacts.ts'
import { deals } from '../deals/deals.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { notFound } from '../platform/domain-error.ts'
import { readOrgDefaults } from '../records/create.ts'
import { lockRecords } from '../records/lock.ts'
import { namesOf } from '../records/names.ts'
import { lockOwners, type Owner } from '../records/owners/owner.ts'
import type { RecordType } from '../records/record-type.ts'
import { updateRecords } from '../records/write.ts'

/** The record types, by the resource of their permissions. */
export const ownedTypes = { contacts, companies, deals } as const

export type Owned = keyof typeof ownedTypes

/** The number of records that one transaction changes. */
const recordsPerStep = 200

/** @throws DomainError not_found if the person is not a member */
export async function requireOwner(tx: OrgTx, ownerId: string, where = 'owner_id'): Promise<Owner> {
  const owner = (await lockOwners(tx, [{ owner_id: ownerId }])).byId.get(ownerId)
  if (owner) return owner
  throw notFound('reference_not_found', `${where}: no member of this organization has the id ${ownerId}`)
}

/** Returns how many active and archived records of a type somebody owns. */
export async function countOwned(tx: OrgTx, type: RecordType, ownerId: string): Promise<number> {
  const row = await tx.first(sql<{ owned: number }>`
    select count(*)::int as owned from ${namesOf(type).table} r
    where r.org_id = ${tx.orgId} and r.owner_id = ${ownerId} and r.status in ('active', 'archived')`)
  return row?.owned ?? 0
}

/**
 * Gives the next records of one owner to another; null: to nobody. Every record gets an event.
 * @returns the number of changed records; 0 if none is left
 */
export async function reassignNext(
  tx: OrgTx,
  type: RecordType,
  fromId: string,
  toId: string | null,
): Promise<number> {
  // Lock the member before the records, as other writes do. If the new owner has left in the meantime, the records get
  // no owner.
  const to = (await lockOwners(tx, [{ owner_id: toId }])).byId.get(toId ?? '')
  const orgDefaults = await readOrgDefaults(tx, type, [])
  const { table, id } = namesOf(type)
  const rows = await tx.rows(sql<{ record_id: string }>`
    select r.${id} as record_id from ${table} r
    where r.org_id = ${tx.orgId} and r.owner_id = ${fromId} and r.status in ('active', 'archived')
    order by r.${id} limit ${rawSql(String(recordsPerStep))}`)
  const ids = rows.map((row) => row.record_id)
  const fields = { owner_id: to?.member_id ?? null, owner_email: to?.email ?? null }
  const updates = (await lockRecords(tx, type, ids))
    .filter(({ status, state }) => status !== 'merged' && state.owner_id === fromId)
    .map((stored) => ({
      stored,
      state: { ...stored.state, ...fields },
      write: { recordId: stored.recordId, fields, orgDefaults, add: false },
    }))
  await updateRecords(tx, type, updates)
  return ids.length
}
