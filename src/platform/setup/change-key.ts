import { connectClient, connectionConfig } from '../db/address.ts'
import type { Log } from '../log.ts'
import {
  activate,
  isActive,
  type Rotation,
  requireKnownEverywhere,
  resealOnline,
  strangersTo,
} from '../secrets/rotate.ts'
import { lockMigrations } from './migrate.ts'
import { resealOrgTokenKey } from './org-token-key.ts'

/**
 * `changed`: whether this run made the key the active one. `late`: processes that do not know the key, and started
 * during the change; null: there are none.
 */
export type KeyChange = Rotation & { changed: boolean; late: string | null }

/**
 * Makes `newKey` the active key of the database while servers run, and seals all secrets of `oldKey` again. After a
 * crash, the next run continues.
 * @param url the URL of the migrating role
 * @throws OperatorError if a connected process does not know the key; nothing was changed then
 */
export async function changeActiveKey(
  url: string,
  newKey: Buffer,
  oldKey: Buffer | null,
  log: Log,
): Promise<KeyChange> {
  const config = { ...connectionConfig(url), connectionTimeoutMillis: 10_000, keepAlive: true }
  const client = await connectClient({ ...config, application_name: 'crosswalk change-key' }, (error) =>
    log.error({ err: error }, 'the connection of change-key broke'),
  )
  try {
    // No process starts with another key in the meantime.
    await lockMigrations(client, log)
    const changed = !(await isActive(client, newKey))
    if (changed) {
      await requireKnownEverywhere(client, newKey)
      await client.query('begin')
      await activate(client, newKey)
      await resealOrgTokenKey(client, newKey, oldKey)
      await client.query('commit')
    }
    const rotation = await resealOnline(client, newKey, oldKey)
    const late = await strangersTo(client, newKey)
    return { ...rotation, changed, late: late && `The key was changed, but ${late}` }
  } finally {
    // Ends an open transaction, and gives the lock back.
    await client.end().catch(() => {})
  }
}
