import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { conflict } from '../platform/domain-error.ts'
import type { DefinedFieldType } from '../records/defined-fields/definition.ts'
import type { Field } from './schema.ts'

const examplesMax = 3

type Duplicate = { member: string; records: number; example_ids: string[]; values: number }

/**
 * Requires that no two active records have the same value. In a million records this takes about 10 s.
 * @throws DomainError conflict with the number of values that several records have, and examples
 */
export async function requireDifferentValues(
  tx: OrgTx,
  { entity, key, type }: { entity: Field['entity']; key: string; type: DefinedFieldType },
): Promise<void> {
  const [table, id] = [rawSql(entity), rawSql(`${entity}_id`)]
  await tx.run(sql`select set_config('statement_timeout', '60s', true)`)
  const duplicates = await tx.rows(sql<Duplicate>`
    select min(r.custom ->> ${key}::text) as member, count(*)::int as records,
      (array_agg(r.${id} order by r.${id}))[1:2]::text[] as example_ids, (count(*) over ())::int as values
    from ${table} r cross join lateral unnest(app.field_values(r.custom, ${key}::text, ${type}::text)) as v (value)
    where r.org_id = ${tx.orgId} and r.status = 'active'
    group by v.value having count(*) > 1 order by (array_agg(r.${id} order by r.${id}))[1] limit ${rawSql(String(examplesMax))}`)
  const [first] = duplicates
  if (!first) return
  const examples = duplicates.map(
    ({ member, records, example_ids: ids }) =>
      `"${member.slice(0, 100)}" (${records} records, such as ${ids.join(' and ')})`,
  )
  const what = first.values === 1 ? '1 value belongs' : `${first.values} values belong`
  throw conflict(
    'field_values_repeated',
    `${what} to several records (${entity}): ${examples.join(', ')}. Change or merge these records first.`,
  )
}
