import { rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { unreadableValue } from '../fields.ts'
import { keyHash } from '../keys.ts'
import type { FilterContext, FilterField, HashedKey, KeyFilter, OrgDefaults } from '../record-type.ts'
import type { Scalar } from './tree.ts'

/**
 * A filter by exact keys (`email`, `tag`).
 * @param column the filter by the column of the same name, if the record has one
 */
export function keyFilter(
  entity: string,
  filter: KeyFilter,
  column: FilterField | undefined,
): FilterField & Required<Pick<FilterField, 'keyOf'>> {
  const [id, table] = [rawSql(`${entity}_id`), rawSql(`${entity}_key`)]
  const ofColumn = (['starts_with', 'is_null'] as const).filter((op) => column?.operators.includes(op))
  const hashOf = (value: Scalar, orgDefaults: OrgDefaults): HashedKey | Refusal => {
    const found = filter.key(String(value), orgDefaults)
    return 'problem' in found ? unreadableValue(found.problem) : { kind: found.kind, hash: keyHash(found) }
  }
  /** SQL of the stored keys `o` that equal any of the values. */
  function storedKeys(values: readonly Scalar[], { orgId, orgDefaults }: FilterContext): Sql | Refusal {
    const keys = values.map((value) => hashOf(value, orgDefaults))
    const refused = keys.find((key) => key instanceof Refusal)
    if (refused) return refused
    const hashes = (keys as HashedKey[]).map(({ hash }) => hash)
    const [kind] = (keys as HashedKey[]).map((key) => key.kind)
    const hash = hashes.length === 1 ? sql`o.hash = ${hashes[0]}` : sql`o.hash = any(${hashes}::bigint[])`
    return sql`${table} o where o.org_id = ${orgId} and o.kind = ${kind} and ${hash}`
  }
  function hasAny(values: readonly Scalar[], context: FilterContext): Sql | Refusal {
    const stored = storedKeys(values, context)
    if (stored instanceof Refusal) return stored
    const found = sql`select o.${id} from ${stored}`
    // `offset 0` forces a lookup for each found record.
    if (context.isFound) return sql`exists (${found} and o.${id} = r.${id} offset 0)`
    return values.length === 1 ? sql`r.${id} in (${found})` : sql`r.${id} = any(array(${found}))`
  }
  return {
    schema: filter.schema,
    description: filter.description,
    operators: ['eq', 'ne', 'in', ...ofColumn],
    keyOf(value, orgDefaults) {
      const key = hashOf(value, orgDefaults)
      if (key instanceof Refusal) return key
      return { table, condition: sql`k.kind = ${key.kind} and k.hash = ${key.hash}`, recordId: sql`k.${id}` }
    },
    ...(filter.needsCountry ? { needsCountry: filter.needsCountry } : {}),
    matches: (op) => (op === 'eq' || op === 'in' ? 'few' : null),
    found: (_op, operand, context) => storedKeys([operand].flat() as Scalar[], context),
    where(op, operand, context) {
      if (column && ofColumn.some((each) => each === op)) {
        const start = op === 'starts_with' ? filter.start?.(String(operand)) : undefined
        return column.where(op, start ?? operand, context)
      }
      const condition = hasAny([operand].flat() as Scalar[], context)
      return op === 'ne' && !(condition instanceof Refusal) ? sql`(${condition}) is not true` : condition
    },
  }
}
