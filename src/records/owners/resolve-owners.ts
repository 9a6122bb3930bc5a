import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { RecordType, StoredColumns } from '../record-type.ts'
import { lockOwners } from './owner.ts'
import { idOf } from './owner-fields.ts'

/** Fills in the members who have the addresses of owners. The address of a former member gives no owner. */
export async function resolveOwners(
  tx: OrgTx,
  { acceptsOutsideOwners }: RecordType,
  states: readonly StoredColumns[],
): Promise<void> {
  const owners = await lockOwners(tx, states)
  for (const state of states) {
    state.owner_id = idOf(state.owner_email, owners)
    if (state.owner_id === null && !acceptsOutsideOwners) state.owner_email = null
  }
}
