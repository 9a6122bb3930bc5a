import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Field } from './schema.ts'

/** Without a position, the field keeps its place. */
export async function place(
  tx: OrgTx,
  fields: readonly Field[],
  fieldId: string,
  position: number | undefined,
): Promise<void> {
  if (position === undefined) return
  const others = fields.map((field) => field.field_id).filter((id) => id !== fieldId)
  await setPositions(tx, others.toSpliced(position - 1, 0, fieldId))
}

/** Stores the order of the defined fields. @param order the ids of all fields, in order */
export async function setPositions(tx: OrgTx, order: readonly string[]): Promise<void> {
  await tx.run(sql`
    update field_definition f set position = o.position
    from unnest(${order}::uuid[]) with ordinality as o (field_id, position)
    where f.org_id = ${tx.orgId} and f.field_id = o.field_id and f.position <> o.position`)
}
