import type { SystemScope } from '../../platform/db/system.ts'
import type { Provider } from '../credentials.ts'
import type { CallStatus } from './schema.ts'

/** So many calls are looked at: however many are under way, counting them stays cheap. */
export const countedMost = 10_000

export type OpenCalls = { provider: Provider; state: CallStatus; calls: number; oldestSeconds: number }

/** How many calls of all orgs are under way, and for how long the oldest of them, by provider and state. */
export function countOpen(scope: SystemScope): Promise<OpenCalls[]> {
  return scope.readRows<OpenCalls>({
    // Whoever has not ended is asked for at some time, which an index has.
    text: `
      select provider, status as state, count(*)::int as calls,
        extract(epoch from clock_timestamp() - min(created_at))::float8 as "oldestSeconds"
      from (
        select provider, status, created_at from call where check_at is not null and ended_at is null
        order by check_at limit ${countedMost}
      ) as open
      group by provider, status`,
    values: [],
  })
}
