import { type Sql, sql } from '../platform/db/sql.ts'

/** SQL of the stored number of active deals. `condition` is on the columns that name a total: deal_status, close_reason_id … */
export const countedDeals = (orgId: string, condition: Sql): Sql => sql`
  select (coalesce((select sum(deals) from deal_total where org_id = ${orgId} and ${condition}), 0)
       + coalesce((select sum(deals) from deal_delta where org_id = ${orgId} and ${condition}), 0))::bigint`
