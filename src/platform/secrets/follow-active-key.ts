import { sql } from '../db/sql.ts'
import type { SystemScope } from '../db/system.ts'
import { type EncryptionKeys, unknownActiveKey } from '../encryption-keys.ts'
import type { Log } from '../log.ts'
import { repeatNowAndEvery } from '../repeat-every.ts'

const intervalMs = 10_000

/**
 * Learns now and every 10 s which encryption key is active, until the returned function is called. The query also keeps the
 * connection open that announces the keys of this process.
 */
export function followActiveKey(scope: SystemScope, keys: EncryptionKeys, log: Log): () => Promise<void> {
  const act = async () => {
    const [row] = await scope.readRows(sql<{ check: string }>`select app.key_check() as check`)
    if (row && !keys.follow(row.check)) log.error(unknownActiveKey)
  }
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'the active encryption key was not read; the next try is in 10 seconds')
  return repeatNowAndEvery(intervalMs, act, onError)
}
