import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { conflict, type DomainError } from '../../platform/domain-error.ts'
import { outsideRecordAccess } from '../../platform/http/record-access.ts'
import type { StoredColumns } from '../record-type.ts'
import type { Owner, Reach } from './owner.ts'

/**
 * Reads what the member of the transaction reaches; undefined: all records. The owners stay members until the
 * transaction ends.
 * @throws DomainError forbidden if the person is no longer a member
 */
export async function readReach(tx: OrgTx): Promise<Reach | undefined> {
  const { recordAccess, memberId } = tx.actor
  if (recordAccess === undefined) return undefined
  const owners = await tx.rows(sql<Owner>`
    select member_id, email, email_key, name from app.hold_owners(app.record_owners(), '{}')`)
  const self = owners.find(({ member_id: id }) => id === memberId)
  if (!self) throw outsideRecordAccess()
  return { self, ids: new Set(owners.map(({ member_id: id }) => id)) }
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
