import { tryLockExclusive } from '../db/advisory-lock.ts'
import type { OrgTx } from '../db/org-tx.ts'
import { sql } from '../db/sql.ts'
import type { Tx } from '../db/tx.ts'
import { KeyRefusal } from './key-refusal.ts'

/** The answer under an idempotency key, or the claim of an effect without an answer yet. */
export type StoredAnswer = {
  fingerprint: Buffer
  status: number
  headers: Record<string, string>
  body: Buffer | null
  /** The object whose secret the sealed body contains. */
  secret_of: string | null
  /** Whether an object of the answer was erased, and the body with it. */
  erased: boolean
  /** For an outside effect without an answer yet: the object that it creates. */
  unfinished: string | null
  busy: boolean
}

/**
 * Returns the answer or unfinished effect under `scope`. If there is none, this transaction owns the key until it
 * ends.
 * @throws KeyRefusal 409 while another transaction owns the key
 */
export async function claimKey(tx: OrgTx, scope: Buffer): Promise<StoredAnswer | null> {
  const [locked, found] = await Promise.all([
    tryLockExclusive(tx, lockName(scope)),
    // A separate statement after the lock: its snapshot must see what the lock's previous owner committed.
    tx.first(sql<StoredAnswer & { live: boolean }>`
      select fingerprint, status, headers, body, secret_of, erased, unfinished,
        busy_until is not null and busy_until > clock_timestamp() as busy, expires_at > clock_timestamp() as live
      from idempotency_key where org_id = ${tx.orgId} and scope = ${scope}`),
  ])
  if (found?.live && found.unfinished === null) return found
  if (!locked) throw keyInUse()
  if (found?.live) return found
  if (found) await tx.run(sql`delete from idempotency_key where org_id = ${tx.orgId} and scope = ${scope}`)
  return null
}

/** The lock lets one request at a time use the key of `scope`. */
export const lockName = (scope: Buffer): string => `idempotency ${scope.toString('hex')}`

/** An answer to store for `days` days, and the ids of the objects that it is about. */
export type AnswerToStore = Omit<StoredAnswer, 'erased' | 'unfinished' | 'busy'> & {
  days: number
  objectIds: readonly string[]
}

/** @throws KeyRefusal 409 if `scope` already has an answer, which the lock of `claimKey` should prevent */
export async function storeAnswer(tx: OrgTx, scope: Buffer, answer: AnswerToStore): Promise<void> {
  const { fingerprint, status, headers, body, secret_of, days, objectIds } = answer
  const storing = tx.run(sql`
    insert into idempotency_key (org_id, scope, fingerprint, status, headers, body, secret_of, expires_at)
    values (${tx.orgId}, ${scope}, ${fingerprint}, ${status}, ${JSON.stringify(headers)}, ${body}, ${secret_of},
      clock_timestamp() + make_interval(days => ${days}))
    on conflict do nothing`)
  const naming = tx.run(sql`
    insert into idempotency_object (org_id, scope, object_id)
    select ${tx.orgId}, ${scope}, object_id from unnest(${objectIds}::uuid[]) as object_id
    on conflict do nothing`)
  const [storedCount] = await Promise.all([storing, naming])
  if (storedCount === 0) throw keyInUse()
}

/** Stores a claim of an outside effect that has no answer yet. The claim outlives this transaction. */
export async function storeUnfinished(
  tx: OrgTx,
  scope: Buffer,
  claim: { fingerprint: Buffer; days: number; objectId: string; busySeconds: number },
): Promise<void> {
  const storedCount = await tx.run(sql`
    insert into idempotency_key (org_id, scope, fingerprint, status, headers, unfinished, expires_at, busy_until)
    values (${tx.orgId}, ${scope}, ${claim.fingerprint}, 0, '{}', ${claim.objectId},
      clock_timestamp() + make_interval(days => ${claim.days}),
      clock_timestamp() + make_interval(secs => ${claim.busySeconds}))
    on conflict do nothing`)
  if (storedCount === 0) throw keyInUse()
}

/** Frees the key of an outside effect. Does nothing if the claim has already ended. */
export async function endUnfinished(tx: OrgTx, scope: Buffer, objectId: string): Promise<void> {
  await tx.run(sql`
    delete from idempotency_key where org_id = ${tx.orgId} and scope = ${scope} and unfinished = ${objectId}`)
}

/** Replaces the claim of an outside effect with its answer. Does nothing if the claim has already ended. */
export async function finishWithAnswer(
  tx: OrgTx,
  scope: Buffer,
  objectId: string,
  { status, headers, body, secret_of, objectIds }: AnswerToStore,
): Promise<void> {
  await tx.run(sql`
    with finished as (
      update idempotency_key
      set status = ${status}, headers = ${JSON.stringify(headers)}, body = ${body}, secret_of = ${secret_of},
        unfinished = null, busy_until = null
      where org_id = ${tx.orgId} and scope = ${scope} and unfinished = ${objectId}
      returning scope
    )
    insert into idempotency_object (org_id, scope, object_id)
    select ${tx.orgId}, scope, object_id from finished, unnest(${objectIds}::uuid[]) as object_id
    on conflict do nothing`)
}

/**
 * Blanks the stored answers about any of these objects. Erasing an object calls this. Blank answers are skipped: erasures
 * of the 500 contacts of a batch would write its answer 500 times otherwise, and wait for each other.
 */
export async function eraseAnswers(tx: OrgTx, objectIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    update idempotency_key k set erased = true, fingerprint = '', body = null
    from idempotency_object o
    where o.org_id = ${tx.orgId} and o.object_id = any(${objectIds}::uuid[]) and k.org_id = o.org_id
      and k.scope = o.scope and (not k.erased or k.body is not null)`)
}

/** Deletes up to `max` expired answers of all orgs. Returns the number of deleted answers. */
export function deleteExpiredAnswers(tx: Tx, max: number): Promise<number> {
  return tx.run(sql`
    delete from idempotency_key k using (
      select org_id, scope from idempotency_key
      where expires_at <= now() order by expires_at limit ${max} for update skip locked
    ) as expired
    where k.org_id = expired.org_id and k.scope = expired.scope`)
}

/** The refusal of a request whose idempotency key another running request has. */
export const keyInUse = (): KeyRefusal =>
  new KeyRefusal(
    'idempotency_key_in_use',
    'A request with this Idempotency-Key is running right now; try again in a second to get its answer',
    { retryAfterSeconds: 1 },
  )
