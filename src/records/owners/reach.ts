import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { conflict, type DomainError } from '../../platform/domain-error.ts'
import { outsideRecordAccess } from '../../platform/http/record-access.ts'
import type { StoredColumns } from '../record-type.ts'
import type { Owner, Reach } from './owner.ts'

/**
 * Reads what the member of the transaction reaches; undefined: all records. The person stays a member until the transaction
 * ends. There may be thousands of colleagues, so they are not held: `lockOwners` holds those whom a record gets.
 * @throws DomainError forbidden if the person is no longer a member
 */
export async function readReach(tx: OrgTx): Promise<Reach | undefined> {
  const { recordAccess, memberId } = tx.actor
  if (recordAccess === undefined) return undefined
  const self = await tx.first(sql<Owner & { ids: string[] }>`
    select member_id, email, email_key, name, app.record_owners() as ids
    from app.hold_owners(array[${memberId}]::uuid[], '{}')`)
  if (!self) throw outsideRecordAccess()
  const { ids, ...owner } = self
  return { self: owner, ids: new Set(ids) }
}

const isReached = (reach: Reach, { owner_id: id }: StoredColumns) =>
  typeof id === 'string' && reach.ids.has(id)

/** Gives a new record without an owner to a limited member, who would not see it otherwise. */
export function giveToMaker(state: StoredColumns, reach: Reach | undefined): void {
  if (reach === undefined || state.owner_id !== null || state.owner_email !== null) return
  state.owner_id = reach.self.member_id
  state.owner_email = reach.self.email
}

/** @throws DomainError forbidden if a limited member would not see the record after the write */
export function requireReached(state: StoredColumns, reach: Reach | undefined): void {
  if (reach !== undefined && !isReached(reach, state)) throw outsideRecordAccess()
}

/** Whether a limited member does not see a stored record. */
export const isHidden = (state: StoredColumns, reach: Reach | undefined): boolean =>
  reach !== undefined && !isReached(reach, state)

/** The refusal of an upsert that matches a record which the member does not see. It reveals nothing about that record. */
export const hiddenMatch = (matchOn: string): DomainError =>
  conflict(
    'record_hidden',
    `A record with this value of ${matchOn} belongs to somebody whose records you do not see. Ask an owner or admin of the organization`,
  )
