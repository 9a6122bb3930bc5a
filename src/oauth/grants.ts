import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'

/** Whether an app is connected, and its person is still a member. */
export async function isAppAlive(scope: SystemScope, connectedAppId: string): Promise<boolean> {
  if (!/^[0-9a-f-]{36}$/.test(connectedAppId)) return false
  const rows = await scope.readRows(sql<{ found: boolean }>`
    select true as found from connected_app a
      join membership h on h.org_id = a.home_org_id and h.member_id = a.member_id
    where a.connected_app_id = ${connectedAppId} and a.revoked_at is null`)
  return rows.length > 0
}
