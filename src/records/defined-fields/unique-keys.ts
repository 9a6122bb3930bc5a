import type { EntityType } from '../../matching/entity-type.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { minUuid } from '../min-uuid.ts'
import type { ExactKey, RecordType, StoredColumns } from '../record-type.ts'
import type { StoredDefinition } from './definition.ts'

/** A value of a unique field, as `custom ->> key` gives it. */
export type UniqueValue = { indexId: string; member: string }

/** Returns the text that PostgreSQL's `custom ->> key` gives. */
export function memberText(state: StoredColumns | null, key: string): string | null {
  const custom = (state?.custom ?? {}) as Readonly<Record<string, unknown>>
  const value = Object.hasOwn(custom, key) ? (custom[key] ?? null) : null
  return value === null || typeof value === 'string' ? value : JSON.stringify(value)
}

/** The record type whose unique fields are also keys of `match_on`, named `custom.<key>`. */
export function withUniqueKeys(type: RecordType, definitions: readonly StoredDefinition[]): RecordType {
  const unique = definitions.filter(({ unique_index: indexId }) => indexId !== null)
  if (unique.length === 0) return type
  const all = unique.map((definition) => [`custom.${definition.key}`, keysOf(definition)] as const)
  return {
    ...type,
    matchOn: { ...type.matchOn, ...Object.fromEntries(all) },
    uniqueKeys: (state) => all.flatMap(([, of]) => of(state)),
  }
}

const keysOf =
  ({ key, type }: StoredDefinition) =>
  (state: StoredColumns): ExactKey[] => {
    const member = memberText(state, key)
    // Equal numbers are one value: 5 and 5.0.
    const value = member !== null && type === 'number' ? String(Number(member)) : member
    return value === null ? [] : [{ kind: `custom.${key}`, value }]
  }

/** Returns the unique value that a match looks for; undefined if `matchOn` names no unique field. */
export function uniqueValueOf(
  definitions: readonly StoredDefinition[],
  matchOn: string,
  state: StoredColumns,
): UniqueValue | undefined {
  const definition = definitions.find(({ key }) => `custom.${key}` === matchOn)
  const member = definition ? memberText(state, definition.key) : null
  const indexId = definition?.unique_index ?? null
  return indexId === null || member === null ? undefined : { indexId, member }
}

/** Returns the ids of the active records that have each value, at most `max`. Reads records that are not indexed yet. */
export async function recordsWithValues(
  tx: OrgTx,
  entity: EntityType,
  values: readonly UniqueValue[],
  max: number,
): Promise<string[][]> {
  const [table, id, limit] = [rawSql(entity), rawSql(`${entity}_id`), rawSql(`limit ${max}`)]
  const rows = await tx.rows(sql<{ record_ids: string[] }>`
    select array(
        select v.record_id from field_value v
        where v.org_id = ${tx.orgId} and v.index_id = c.index_id and v.value = w.value order by v.record_id ${limit}
      ) || case when d.index_state <> 'ready' then array(
        select r.${id} from ${table} r
        where r.org_id = ${tx.orgId} and r.status = 'active' and r.${id} > coalesce(d.indexed_to, ${minUuid}::uuid)
          and w.value = any(app.field_values(r.custom, d.key, d.type)) ${limit}) else '{}' end as record_ids
    from unnest(${values.map(({ indexId }) => indexId)}::uuid[], ${values.map(({ member }) => member)}::text[])
      with ordinality as c (index_id, member, number)
    join field_definition d on d.org_id = ${tx.orgId} and d.index_id = c.index_id
    cross join lateral (select app.field_value(c.member, d.type) as value offset 0) as w
    order by c.number`)
  return rows.map(({ record_ids: ids }) => [...new Set(ids)])
}
