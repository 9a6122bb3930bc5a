import type { SystemScope } from '../../platform/db/system.ts'
import type { Log } from '../../platform/log.ts'
import { type KnownWriteKey, writeLastSeen } from './known-write-keys.ts'

const granularityMs = 1_000
const flushMs = 1_000

/** Writes `last_seen_at` outside of requests: at most once a second for each key, many keys in one statement. */
export class LastSeen {
  readonly #scope: SystemScope
  readonly #log: Log
  #pending = new Map<string, { orgId: string; writeKeyId: string; atMs: number }>()
  #timer: NodeJS.Timeout | null = null

  constructor(scope: SystemScope, log: Log) {
    this.#scope = scope
    this.#log = log
  }

  /** Records that an event came with `key` now. */
  note(key: KnownWriteKey): void {
    const atMs = Date.now()
    if (atMs - key.lastSeenAtMs < granularityMs) return
    key.lastSeenAtMs = atMs
    this.#pending.set(key.writeKeyId, { orgId: key.orgId, writeKeyId: key.writeKeyId, atMs })
    this.#timer ??= setTimeout(() => this.flush(), flushMs).unref()
  }

  /** Writes the pending times. A failure is only logged. */
  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const seen = [...this.#pending.values()]
    this.#pending = new Map()
    if (seen.length === 0) return
    await this.#scope
      .transact((tx) => writeLastSeen(tx, seen))
      .catch((error) => this.#log.warn({ err: error }, 'last_seen_at was not written'))
  }
}
