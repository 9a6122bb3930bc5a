import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'
import { type KnownKey, writeLastUsed } from './known-keys.ts'

const granularityMs = 60_000
const flushMs = 1_000

/**
 * Writes `last_used_at` outside of requests, at most once a minute for each key, and for many keys in one statement.
 */
export class LastUsed {
  readonly #scope: SystemScope
  readonly #log: Log
  #pending = new Map<string, { orgId: string; apiKeyId: string; atMs: number }>()
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
