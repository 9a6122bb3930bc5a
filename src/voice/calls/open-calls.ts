import { rawSql, sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import type { ProviderName } from '../credentials.ts'
import type { CallStatus } from './schema.ts'

/** The maximum count, which limits the cost of a scrape. */
export const countedMax = 10_000

export type OpenCalls = { provider: ProviderName; state: CallStatus; calls: number; oldestSeconds: number }

/** Returns the number of running calls of all orgs, and the age of the oldest, by provider and state. */
export function countOpen(scope: SystemScope): Promise<OpenCalls[]> {
  // Only open calls have a `check_at`, so its index finds them.
  return scope.readRows(sql<OpenCalls>`
    select provider, status as state, count(*)::int as calls,
      extract(epoch from clock_timestamp() - min(created_at))::float8 as "oldestSeconds"
    from (
      select provider, status, created_at from call where check_at is not null and ended_at is null
      order by check_at limit ${rawSql(`${countedMax}`)}
    ) as open
    group by provider, status`)
}
