import { emailKey } from '../normalize/email.ts'
import type { Owners } from '../records/owners/owner.ts'
import type { Column } from './columns.ts'
import type { RowFields } from './row-fields.ts'

/**
 * Moves the owner of a row to `custom` if it names nobody of this organization, for example somebody who has left. An
 * owner is named by address, or by the id of a member.
 */
export function moveUnknownOwner(
  fields: RowFields,
  columns: readonly Column[],
  owners: Owners | undefined,
): void {
  const { owner_id: id, owner_email: email } = fields
  if (typeof id === 'string' && !owners?.byId.has(id.toLowerCase())) move(fields, columns, 'owner_id', id)
  if (typeof email === 'string' && !owners?.byKey.has(emailKey(email)))
    move(fields, columns, 'owner_email', email)
}

function move(fields: RowFields, columns: readonly Column[], field: string, value: string): void {
  const header = columns.find((column) => column.field === field)?.header ?? field
  fields.custom = { ...(fields.custom as object | undefined), [header]: value }
  delete fields[field]
}
