import { type EntityType, entityTypes } from '../matching/entity-type.ts'
import type { JsonMembers } from '../platform/db/json-columns.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { joinSql, rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { notFound } from '../platform/domain-error.ts'
import { rowCanonicalIdSql } from './canonical.ts'
import { recordNameSql } from './record-name.ts'
import { lockCanonical } from './references.ts'

// The subject of a note or a task is the record that it is about. Their tables store the id that was sent, in
// `record_raw_id`, and look up its canonical record when they are read. So they follow merges and undos in any order,
// and no merge writes to them.

/** How answers show the subject of the row `alias`. */
export function subjectMembers(alias: string): JsonMembers {
  return {
    entity_type: { sql: `${alias}.entity`, kind: 'text' },
    record_id: { sql: ofCanonical(alias, (entity, canonical) => `${canonical}.${entity}_id`), kind: 'uuid' },
    record_name: { sql: ofCanonical(alias, recordNameSql), kind: 'text' },
  }
}

/** SQL of a value of the canonical record of the row `alias`. `value` gets the alias of the canonical record. */
function ofCanonical(alias: string, value: (entity: EntityType, canonical: string) => string): string {
  const cases = entityTypes.map(
    (entity) => `when '${entity}' then (
      select ${value(entity, 'canonical')} from ${entity} canonical
      where canonical.org_id = ${alias}.org_id and canonical.${entity}_id = (
        select case when named.merged_into_id is null then named.${entity}_id else named.merged_into_id end
        from ${entity} named where named.org_id = ${alias}.org_id and named.${entity}_id = ${alias}.record_raw_id))`,
  )
  return `case ${alias}.entity ${cases.join(' ')} end`
}

/**
 * SQL of the condition that the row `alias` is about a record, or about one that is merged with it. `recordId` can be
 * the id of any of them.
 */
export function isAbout(orgId: string, alias: string, recordId: string): Sql {
  const members = entityTypes.map((entity) => {
    const [table, id] = [rawSql(entity), rawSql(`${entity}_id`)]
    const root = sql`(
      select ${rowCanonicalIdSql('n', `${entity}_id`)} from ${table} n where n.org_id = ${orgId} and n.${id} = ${recordId})`
    return sql`
      select r.${id} from ${table} r where r.org_id = ${orgId} and r.${id} = ${root}
      union all select r.${id} from ${table} r where r.org_id = ${orgId} and r.merged_into_id = ${root}`
  })
  const ids = joinSql(members, ' union all ')
  return sql`${rawSql(alias)}.record_raw_id = any((select array(${ids}))::uuid[])`
}

/**
 * Locks the record that a new note or task is about: nobody erases it before this transaction commits.
 * @returns its canonical id
 * @throws DomainError not_found that names the field
 */
export async function lockSubject(tx: OrgTx, entity: EntityType, recordId: string): Promise<string> {
  const canonicalId = (await lockCanonical(tx, entity, [recordId])).get(recordId)
  if (canonicalId !== undefined) return canonicalId
  throw notFound('reference_not_found', `record_id: no ${entity} of this organization has the id ${recordId}`)
}
