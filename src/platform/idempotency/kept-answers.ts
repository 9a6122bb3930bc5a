import { tryLockExclusive } from '../db/advisory-lock.ts'
import type { OrgTx } from '../db/org-tx.ts'
import { sql } from '../db/sql.ts'
import type { Tx } from '../db/tx.ts'
import { KeyRefusal } from './key-refusal.ts'

/** An answer as it is kept. */
export type Kept = {
  fingerprint: Buffer
  status: number
  headers: Record<string, string>
  body: Buffer | null
  /** The object whose secret the body holds, which is sealed then. */
  secret_of: string | null
  /** Something that it named was erased, and the body with it. */
  erased: boolean
  /** Of an effect outside that was begun and has no answer yet: the object that it makes. */
  unfinished: string | null
  /** True while whoever began that may still be at it. */
  busy: boolean
}

/**
 * What is kept under `scope`: an answer, or an effect that is unfinished. Where there is no answer, the key is this
 * transaction's until it ends, however it ends.
 * @throws KeyRefusal 409 while it is another transaction's
 */
export async function claimKey(tx: OrgTx, scope: Buffer): Promise<Kept | null> {
  const [locked, found] = await Promise.all([
    tryLockExclusive(tx, lockName(scope)),
    // A statement of its own: its snapshot is newer than the lock, so it sees what the lock's last owner committed.
    tx.first(sql<Kept & { live: boolean }>`
      select fingerprint, status, headers, body, secret_of, erased, unfinished,
        busy_until is not null and busy_until > clock_timestamp() as busy, expires_at > clock_timestamp() as live
      from idempotency_key where org_id = ${tx.orgId} and scope = ${scope}`),
  ])
  if (found?.live && found.unfinished === null) return found
  if (!locked) throw inUse()
  if (found?.live) return found
  if (found) await tx.run(sql`delete from idempotency_key where org_id = ${tx.orgId} and scope = ${scope}`)
  return null
}

/** The name of the lock under which one request at a time works on the key of `scope`. */
export const lockName = (scope: Buffer): string => `idempotency ${scope.toString('hex')}`

/** An answer to keep for so many days, and which objects it is about. */
export type ToKeep = Omit<Kept, 'erased' | 'unfinished' | 'busy'> & {
  days: number
  objectIds: readonly string[]
}

/** @throws KeyRefusal 409 if one is kept under `scope` already, which the lock of `claimKey` should have told */
export async function keepAnswer(tx: OrgTx, scope: Buffer, answer: ToKeep): Promise<void> {
  const { fingerprint, status, headers, body, secret_of, days, objectIds } = answer
  const keeping = tx.run(sql`
    insert into idempotency_key (org_id, scope, fingerprint, status, headers, body, secret_of, expires_at)
    values (${tx.orgId}, ${scope}, ${fingerprint}, ${status}, ${JSON.stringify(headers)}, ${body}, ${secret_of},
      clock_timestamp() + make_interval(days => ${days}))
    on conflict do nothing`)
  const naming = tx.run(sql`
    insert into idempotency_object (org_id, scope, object_id)
    select ${tx.orgId}, ${scope}, object_id from unnest(${objectIds}::uuid[]) as object_id
    on conflict do nothing`)
  const [kept] = await Promise.all([keeping, naming])
  if (kept === 0) throw inUse()
}

/** Claims a key for longer than this transaction, for an effect outside; there is nothing to answer with yet. */
export async function keepUnfinished(
  tx: OrgTx,
  scope: Buffer,
  claim: { fingerprint: Buffer; days: number; objectId: string; busySeconds: number },
): Promise<void> {
  const kept = await tx.run(sql`
    insert into idempotency_key (org_id, scope, fingerprint, status, headers, unfinished, expires_at, busy_until)
    values (${tx.orgId}, ${scope}, ${claim.fingerprint}, 0, '{}', ${claim.objectId},
      clock_timestamp() + make_interval(days => ${claim.days}),
      clock_timestamp() + make_interval(secs => ${claim.busySeconds}))
    on conflict do nothing`)
  if (kept === 0) throw inUse()
}

/** Ends the claim of an effect outside whose key is free again; no effect if it had ended. */
export async function endUnfinished(tx: OrgTx, scope: Buffer, objectId: string): Promise<void> {
  await tx.run(sql`
    delete from idempotency_key where org_id = ${tx.orgId} and scope = ${scope} and unfinished = ${objectId}`)
}

/** Keeps the answer of an effect outside in place of its claim; no effect if that had ended. */
export async function finishWithAnswer(
  tx: OrgTx,
  scope: Buffer,
  objectId: string,
  { status, headers, body, secret_of, objectIds }: ToKeep,
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

/** Blanks the stored answers about any of these objects. Erasing the objects calls it. */
export async function eraseAnswers(tx: OrgTx, objectIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    update idempotency_key k set erased = true, fingerprint = '', body = null
    from idempotency_object o
    where o.org_id = ${tx.orgId} and o.object_id = any(${objectIds}::uuid[]) and k.org_id = o.org_id
      and k.scope = o.scope`)
}

/** Deletes up to `max` answers whose time is over, of all orgs; how many. */
export function dropExpired(tx: Tx, max: number): Promise<number> {
  return tx.run(sql`
    delete from idempotency_key k using (
      select org_id, scope from idempotency_key
      where expires_at <= now() order by expires_at limit ${max} for update skip locked
    ) as expired
    where k.org_id = expired.org_id and k.scope = expired.scope`)
}

export const inUse = (): KeyRefusal =>
  new KeyRefusal(
    'A request with this Idempotency-Key is running right now; try again in a second to get its answer',
    { retryAfterSeconds: 1 },
  )
