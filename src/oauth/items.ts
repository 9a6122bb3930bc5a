import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { sql } from '../platform/db/sql.ts'
import { hashItem } from './item-hash.ts'
import type { StrangersScope } from './limit-database.ts'

/** A used refresh token still works for this time, because hosts refresh in parallel (comet-ml/opik#8287). */
const refreshGraceSeconds = 30

type Row = { payload: AdapterPayload; consumed_at: Date | null }

/**
 * Stores the items of one kind that the authorization server issues. A payload contains no secret: the id of a code or token
 * is stored as its hash.
 */
export class Items implements Adapter {
  readonly #kind: string
  readonly #scope: StrangersScope

  constructor(kind: string, scope: StrangersScope) {
    this.#kind = kind
    this.#scope = scope
  }

  async upsert(id: string, { jti, ...payload }: AdapterPayload, expiresIn = 0): Promise<void> {
    const { grantId = null, accountId = null } = payload
    const app = typeof accountId === 'string' && this.#kind !== 'Interaction' ? accountId : null
    await this.#scope.transact((tx) =>
      tx.run(sql`
        insert into oauth_item (kind, id_hash, grant_id, connected_app_id, payload, expires_at)
        values (${this.#kind}, ${hashItem(id)}, ${this.#kind === 'Grant' ? id : grantId}, ${app},
          ${JSON.stringify(payload)}::jsonb, now() + make_interval(secs => ${expiresIn}))
        on conflict (kind, id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at,
          grant_id = excluded.grant_id, connected_app_id = excluded.connected_app_id`),
    )
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.#scope.readRows(sql<Row>`
      select payload, consumed_at from oauth_item
      where kind = ${this.#kind} and id_hash = ${hashItem(id)} and expires_at > now()`)
    if (!row) return undefined
    const isConsumed = row.consumed_at !== null && !this.#isInGrace(row.consumed_at)
    return { ...row.payload, jti: id, ...(isConsumed ? { consumed: true } : {}) }
  }

  #isInGrace(consumedAt: Date): boolean {
    return this.#kind === 'RefreshToken' && Date.now() < consumedAt.getTime() + refreshGraceSeconds * 1000
  }

  /** Uses a code or refresh token. @throws InvalidGrant if somebody used the code at the same time */
  async consume(id: string): Promise<void> {
    const used = await this.#scope.transact((tx) =>
      tx.run(sql`
        update oauth_item set consumed_at = now()
        where kind = ${this.#kind} and id_hash = ${hashItem(id)} and consumed_at is null`),
    )
    if (used === 0 && this.#kind === 'AuthorizationCode')
      throw new errors.InvalidGrant('the code was used before')
  }

  async destroy(id: string): Promise<void> {
    await this.#scope.transact((tx) =>
      tx.run(sql`delete from oauth_item where kind = ${this.#kind} and id_hash = ${hashItem(id)}`),
    )
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#scope.transact((tx) =>
      tx.run(sql`delete from oauth_item where kind = ${this.#kind} and grant_id = ${grantId}`),
    )
  }

  /** Never called: no item has a user code, and sessions are not stored here. */
  findByUserCode = async (): Promise<undefined> => undefined
  findByUid = async (): Promise<undefined> => undefined
}

/** Stores nothing, so that each sign-in of an app asks the person again. */
export class UnstoredItems implements Adapter {
  upsert = async (): Promise<void> => {}
  find = async (): Promise<undefined> => undefined
  findByUserCode = async (): Promise<undefined> => undefined
  findByUid = async (): Promise<undefined> => undefined
  consume = async (): Promise<void> => {}
  destroy = async (): Promise<void> => {}
  revokeByGrantId = async (): Promise<void> => {}
}
