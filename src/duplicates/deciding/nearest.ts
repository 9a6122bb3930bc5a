import type { Tx } from '../../platform/db/tx.ts'
import { hashedKeys } from '../../records/keys.ts'
import type { State } from '../../records/record-type.ts'
import { type EntityType, recordTypes } from '../entities.ts'

const perKey = 31

/** Records that have a key in common with these columns. */
export async function nearest(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  states: readonly State[],
): Promise<string[]> {
  const type = recordTypes[entityType]
  const keys = hashedKeys(states.flatMap((state) => type.keys(state))).filter(({ kind }) => kind !== 'tag')
  const rows = await tx.rows<{ record_id: string }>({
    text: `
      select distinct t.record_id
      from unnest($2::text[], $3::bigint[]) as k (kind, hash)
      cross join lateral (
        select ${type.idField} as record_id from ${entityType}_key
        where org_id = $1 and kind = k.kind and hash = k.hash order by ${type.idField} limit ${perKey}
      ) as t`,
    values: [orgId, keys.map(({ kind }) => kind), keys.map(({ hash }) => hash)],
  })
  return rows.map(({ record_id }) => record_id)
}
