import { sharedLock } from '../db/advisory-lock.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import type { OrgTx } from '../db/org-tx.ts'
import { sql } from '../db/sql.ts'
import { keyCheck, unknownActiveKey } from '../encryption-keys.ts'
import type { Log } from '../log.ts'
import { changeLock } from './change-lock.ts'
import { type SealedSecret, SecretKey } from './secret-key.ts'

/**
 * The only store for an org's credentials at other services. Values are sealed with a key derived from the encryption
 * key, which is not in the database. No log, answer or event contains a value.
 */
export class Secrets {
  /** By the check value of the encryption key. */
  readonly #keys: ReadonlyMap<string, SecretKey>
  readonly #log: Log

  /** @param rootKeys the encryption keys that this process knows */
  constructor(rootKeys: readonly Buffer[], log: Log) {
    this.#keys = new Map(rootKeys.map((key) => [keyCheck(key), new SecretKey(key)]))
    this.#log = log
  }

  /**
   * Stores a value under a name, in place of any previous value.
   * @throws DatabaseUnavailable if the process does not know the active key of the database
   */
  async put(tx: OrgTx, orgId: string, name: string, value: string): Promise<void> {
    const key = await this.#activeKey(tx)
    await tx.run(sql`
      insert into secret (org_id, name, key_id, sealed)
      values (${orgId}, ${name}, ${key.id}, ${key.seal(orgId, name, value)})
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
    const key = this.#keys.values().find(({ id }) => id === secret.key_id)
    // Use the caller's org and name: somebody could have changed them in the row, together with its value.
    const value = key?.open({ ...secret, org_id: orgId, name }) ?? null
    if (value === null) {
      const reason = key ? 'it was changed or copied' : 'it was sealed with another key'
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

  /** The key to seal with. It stays the active one until the transaction ends. */
  async #activeKey(tx: OrgTx): Promise<SecretKey> {
    await tx.run(sharedLock(changeLock))
    const row = await tx.first(sql<{ check: string }>`select app.key_check() as check`)
    const key = this.#keys.get(row?.check ?? '')
    if (key) return key
    throw new DatabaseUnavailable(unknownActiveKey)
  }
}
