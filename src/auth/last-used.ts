import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'
import type { KnownKey } from './known-keys.ts'

const granularityMs = 60_000
const flushMs = 1_000

type Use = { orgId: string; apiKeyId: string; atMs: number }

/**
 * Writes `last_used_at` outside of requests, at most once a minute for each key, and for many keys in one statement.
 */
export class LastUsed {
  readonly #scope: SystemScope
  readonly #log: Log
  #pending = new Map<string, Use>()
  #timer: NodeJS.Timeout | null = null

  constructor(scope: SystemScope, log: Log) {
    this.#scope = scope
    this.#log = log
  }

  /** Records that a request used `key` now. */
  note(key: KnownKey): void {
    const atMs = Date.now()
    if (atMs - key.lastUsedAtMs < granularityMs) return
    key.lastUsedAtMs = atMs
    this.#pending.set(key.apiKeyId, { orgId: key.orgId, apiKeyId: key.apiKeyId, atMs })
    this.#timer ??= setTimeout(() => this.flush(), flushMs).unref()
  }

  /** Writes the pending times. Logs a failure. */
  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const used = [...this.#pending.values()]
    this.#pending = new Map()
    if (used.length === 0) return
    await writeLastUsed(this.#scope, used).catch((error) =>
      this.#log.warn({ err: error }, 'last_used_at was not written'),
    )
  }
}

/** Stores when keys were last used, in Unix milliseconds. An earlier time never replaces a later one. */
async function writeLastUsed(scope: SystemScope, used: readonly Use[]): Promise<void> {
  // Update in id order: processes that write the same keys at once could deadlock otherwise.
  const inOrder = used.toSorted((one, other) => (one.apiKeyId < other.apiKeyId ? -1 : 1))
  const orgIds = inOrder.map(({ orgId }) => orgId)
  const apiKeyIds = inOrder.map(({ apiKeyId }) => apiKeyId)
  const times = inOrder.map(({ atMs }) => new Date(atMs))
  await scope.transact((tx) =>
    tx.run(sql`
      update api_key k set last_used_at = u.used_at
      from unnest(${orgIds}::uuid[], ${apiKeyIds}::uuid[], ${times}::timestamptz[]) as u (org_id, api_key_id, used_at)
      where k.org_id = u.org_id and k.api_key_id = u.api_key_id
        and (k.last_used_at is null or k.last_used_at < u.used_at)`),
  )
}
