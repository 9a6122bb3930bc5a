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
export async function claimKey(tx: Tx, orgId: string, scope: Buffer): Promise<Kept | null> {
  const [lock, found] = await Promise.all([
    tx.first<{ held: boolean }>({
      text: 'select pg_try_advisory_xact_lock($1::bigint) as held',
      values: [scope.readBigInt64BE().toString()],
    }),
    // By itself: it looks once the lock is held, and so sees what whoever held it before has committed.
    tx.first<Kept & { live: boolean }>({
      text: `
        select fingerprint, status, headers, body, secret_of, erased, unfinished,
          busy_until is not null and busy_until > clock_timestamp() as busy, expires_at > clock_timestamp() as live
        from idempotency_key where org_id = $1 and scope = $2`,
      values: [orgId, scope],
    }),
  ])
  if (found?.live && found.unfinished === null) return found
  if (!lock?.held) throw inUse()
  if (found?.live) return found
  if (found) {
    await tx.run({
      text: 'delete from idempotency_key where org_id = $1 and scope = $2',
      values: [orgId, scope],
    })
  }
  return null
}

/** An answer to keep for so many days, and which objects it is about. */
export type ToKeep = Omit<Kept, 'erased' | 'unfinished' | 'busy'> & {
  days: number
  objectIds: readonly string[]
}

/** @throws KeyRefusal 409 if one is kept under `scope` already, which the lock of `claimKey` should have told */
export async function keepAnswer(tx: Tx, orgId: string, scope: Buffer, answer: ToKeep): Promise<void> {
  const { fingerprint, status, headers, body, secret_of, days, objectIds } = answer
  const keeping = tx.run({
    text: `
      insert into idempotency_key (org_id, scope, fingerprint, status, headers, body, secret_of, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + make_interval(days => $8))
      on conflict do nothing`,
    values: [orgId, scope, fingerprint, status, JSON.stringify(headers), body, secret_of, days],
  })
  const naming = tx.run({
    text: `
      insert into idempotency_object (org_id, scope, object_id)
      select $1, $2, object_id from unnest($3::uuid[]) as object_id
      on conflict do nothing`,
    values: [orgId, scope, objectIds],
  })
  const [kept] = await Promise.all([keeping, naming])
  if (kept === 0) throw inUse()
}

/** Claims a key for longer than this transaction, for an effect outside; there is nothing to answer with yet. */
export async function keepUnfinished(
  tx: Tx,
  orgId: string,
  scope: Buffer,
  claim: { fingerprint: Buffer; days: number; objectId: string; busySeconds: number },
): Promise<void> {
  const kept = await tx.run({
    text: `
      insert into idempotency_key (org_id, scope, fingerprint, status, headers, unfinished, expires_at, busy_until)
      values ($1, $2, $3, 0, '{}', $4, clock_timestamp() + make_interval(days => $5),
        clock_timestamp() + make_interval(secs => $6))
      on conflict do nothing`,
    values: [orgId, scope, claim.fingerprint, claim.objectId, claim.days, claim.busySeconds],
  })
  if (kept === 0) throw inUse()
}

/** Ends the claim of an effect outside whose key is free again; no effect if it had ended. */
export async function endUnfinished(tx: Tx, orgId: string, scope: Buffer, objectId: string): Promise<void> {
  await tx.run({
    text: 'delete from idempotency_key where org_id = $1 and scope = $2 and unfinished = $3',
    values: [orgId, scope, objectId],
  })
}

/** Keeps the answer of an effect outside in place of its claim; no effect if that had ended. */
export async function finishWithAnswer(
  tx: Tx,
  orgId: string,
  scope: Buffer,
  objectId: string,
  { status, headers, body, secret_of, objectIds }: ToKeep,
): Promise<void> {
  await tx.run({
    text: `
      with finished as (
        update idempotency_key
        set status = $4, headers = $5, body = $6, secret_of = $7, unfinished = null, busy_until = null
        where org_id = $1 and scope = $2 and unfinished = $3
        returning scope
      )
      insert into idempotency_object (org_id, scope, object_id)
      select $1, scope, object_id from finished, unnest($8::uuid[]) as object_id
      on conflict do nothing`,
    values: [orgId, scope, objectId, status, JSON.stringify(headers), body, secret_of, objectIds],
  })
}

/** Blanks the kept answers that are about any of these objects, which are being erased. */
export async function eraseAnswers(tx: Tx, orgId: string, objectIds: readonly string[]): Promise<void> {
  await tx.run({
    text: `
      update idempotency_key k set erased = true, fingerprint = '', body = null
      from idempotency_object o
      where o.org_id = $1 and o.object_id = any($2::uuid[]) and k.org_id = o.org_id and k.scope = o.scope`,
    values: [orgId, objectIds],
  })
}

/** Deletes up to `max` answers whose time is over, of all orgs; how many. */
export function dropExpired(tx: Tx, max: number): Promise<number> {
  return tx.run({
    text: `
      delete from idempotency_key k using (
        select org_id, scope from idempotency_key
        where expires_at <= now() order by expires_at limit $1 for update skip locked
      ) as expired
      where k.org_id = expired.org_id and k.scope = expired.scope`,
    values: [max],
  })
}

export const inUse = (): KeyRefusal =>
  new KeyRefusal(
    'A request with this Idempotency-Key is running right now; try again in a second to get its answer',
    { retryAfterSeconds: 1 },
  )
