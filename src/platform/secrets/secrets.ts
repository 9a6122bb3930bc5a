import type { OrgTx } from '../db/org-tx.ts'
import { sql } from '../db/sql.ts'
import type { Log } from '../log.ts'
import { type SealedSecret, SecretKey } from './secret-key.ts'

/**
 * The only store for an org's credentials at other services. Values are sealed with a key derived from the root key,
 * which is not in the database. No log, answer or event contains a value.
 */
export class Secrets {
  readonly #key: SecretKey
  readonly #log: Log

  constructor(rootKey: Buffer, log: Log) {
    this.#key = new SecretKey(rootKey)
    this.#log = log
  }

  /** Stores a value under a name, in place of any previous value. */
  async put(tx: OrgTx, orgId: string, name: string, value: string): Promise<void> {
    await tx.run(sql`
      insert into secret (org_id, name, key_id, sealed)
      values (${orgId}, ${name}, ${this.#key.id}, ${this.#key.seal(orgId, name, value)})
      on conflict (org_id, name) do update
      set key_id = excluded.key_id, sealed = excluded.sealed, updated_at = clock_timestamp()`)
  }

  /**
   * The value of a name; null without one. A value that does not open counts as missing, and the
   * log gives the reason.
   */
  async open(tx: OrgTx, orgId: string, name: string): Promise<string | null> {
    const secret = await tx.first(sql<SealedSecret>`
      select org_id, name, key_id, sealed from secret where org_id = ${orgId} and name = ${name}`)
    if (!secret) return null
    // Use the caller's org and name: somebody could have changed them in the row, together with its value.
    const value = this.#key.open({ ...secret, org_id: orgId, name })
    if (value === null) {
      const reason =
        secret.key_id === this.#key.id ? 'it was changed or copied' : 'it was sealed with another key'
      this.#log.error(
        { org_id: orgId, secret: name, key_id: secret.key_id, reason },
        'a secret does not open',
      )
    }
    return value
  }

  /** Deletes the value of a name. Returns false if there was none. */
  async forget(tx: OrgTx, orgId: string, name: string): Promise<boolean> {
    const forgotten = await tx.run(sql`delete from secret where org_id = ${orgId} and name = ${name}`)
    return forgotten > 0
  }
}
