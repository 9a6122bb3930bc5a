import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'

/** Deletes up to `max` expired items. Returns how many. */
export function deleteExpiredItems(scope: SystemScope, max: number): Promise<number> {
  return scope.transact((tx) =>
    tx.run(sql`
      delete from oauth_item where (kind, id_hash) in (
        select kind, id_hash from oauth_item where expires_at < now() limit ${max})`),
  )
}
