import type { Org } from './org.ts'
import { type Sql, sql } from './sql.ts'

/** SQL of the number of active records that a limited member sees. */
export const seenTotal = ({ orgId, actor: { recordAccess, memberId } }: Org, entity: string): Sql =>
  recordAccess === 'own' ? exactTotal(orgId, `${entity} of ${memberId}`) : totalOfOwners(orgId, entity)

/** SQL of the number of records of `entity`, which `record_total` stores. */
export const exactTotal = (orgId: string, entity: string): Sql => sql`
  select ((select coalesce(sum(total), 0) from record_total where org_id = ${orgId} and entity = ${entity})
       + (select coalesce(sum(delta), 0) from record_delta where org_id = ${orgId} and entity = ${entity}))::bigint`

/** SQL of the number of active records of the owners that a limited member sees. `record_total` stores it for each owner. */
const totalOfOwners = (orgId: string, entity: string): Sql => {
  const entities = sql`array(select ${entity} || ' of ' || o.owner from unnest((select app.seen_owners())) as o (owner))`
  return sql`
    select ((select coalesce(sum(total), 0) from record_total where org_id = ${orgId} and entity = any(${entities}))
         + (select coalesce(sum(delta), 0) from record_delta where org_id = ${orgId} and entity = any(${entities})))::bigint`
}
