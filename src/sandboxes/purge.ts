import { recordEvents } from '../events/record.ts'
import { systemOf } from '../platform/actor.ts'
import { tryLockExclusive } from '../platform/db/advisory-lock.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql, unprepared } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Log } from '../platform/log.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { type PurgeStep, readPurgeSteps } from './purge-steps.ts'

const intervalMs = 5_000
const rowsAtOnce = 2_000
const expiredAtOnce = 100

type Doomed = { org_id: string; sandbox_org_id: string }

/** Marks expired sandboxes as deleted, and ends their keys. Returns the number of these sandboxes. */
function expire(tx: Tx): Promise<number> {
  return tx
    .rows(sql<Doomed>`
      update sandbox set status = 'deleted', deleted_at = now(), purge_at = now()
      where (org_id, sandbox_org_id) in (
        select org_id, sandbox_org_id from sandbox where status <> 'deleted' and expires_at <= now()
        order by expires_at limit ${expiredAtOnce} for update skip locked)
      returning org_id, sandbox_org_id`)
    .then(async (expired) => {
      for (const { org_id: orgId, sandbox_org_id: objectId } of expired) {
        await tx.run(sql`delete from api_key where org_id = ${objectId}`)
        await recordEvents(new OrgTx(tx, systemOf(orgId)), [{ type: 'sandbox.deleted', objectId }])
      }
      return expired.length
    })
}

async function deleteSome(
  tx: Tx,
  { table, referrersOnly }: PurgeStep,
  orgId: string,
): Promise<number | null> {
  if (!(await tryLockExclusive(tx, `purge ${orgId}`))) return null
  const name = rawSql(`"${table}"`)
  const first = referrersOnly === null ? sql`` : sql`and ${rawSql(`"${referrersOnly}"`)} is not null`
  return tx.run(
    unprepared(sql`
      delete from ${name} where org_id = ${orgId} and ctid = any(array(
        select ctid from ${name} where org_id = ${orgId} ${first} limit ${rowsAtOnce}))`),
  )
}

/** Deletes all rows of a sandbox. Returns true after a whole pass that found none. */
async function purge(
  scope: SystemScope,
  steps: readonly PurgeStep[],
  orgId: string,
  stopping: () => boolean,
): Promise<boolean> {
  for (;;) {
    let deletedInPass = 0
    for (const step of steps) {
      let deleted: number | null
      do {
        if (stopping()) return false
        deleted = await scope.transact((tx) => deleteSome(tx, step, orgId))
        if (deleted === null) return false
        deletedInPass += deleted
      } while (deleted > 0)
    }
    // One pass is not enough, because deleting records writes to the tables of totals.
    if (deletedInPass === 0) return true
  }
}

/**
 * Deletes expired sandboxes, and then their rows in small transactions. After a crash, the next pass continues.
 * Checks a deleted sandbox for one more hour, because a running job may still write rows.
 */
export async function sweepOnce(scope: SystemScope, stopping = () => false): Promise<void> {
  while ((await scope.transact(expire)) === expiredAtOnce && !stopping());
  const due = await scope.read((tx) =>
    tx.rows(sql<Doomed>`
      select org_id, sandbox_org_id from sandbox where purge_at <= now() order by purge_at limit 100`),
  )
  if (due.length === 0) return
  const steps = await scope.read(readPurgeSteps)
  const errors: unknown[] = []
  for (const { org_id: orgId, sandbox_org_id: sandboxOrgId } of due) {
    // Continue with the next sandbox if this one cannot be deleted.
    const isEmpty = await purge(scope, steps, sandboxOrgId, stopping).catch((error) => {
      errors.push(error)
      return false
    })
    if (isEmpty) await scope.transact((tx) => notePurged(tx, orgId, sandboxOrgId))
  }
  for (const error of errors) throw error
}

async function notePurged(tx: Tx, orgId: string, sandboxOrgId: string): Promise<void> {
  await tx.run(sql`
    update sandbox set purge_at = now() + interval '5 minutes'
    where org_id = ${orgId} and sandbox_org_id = ${sandboxOrgId}`)
  await tx.run(sql`
    delete from sandbox
    where org_id = ${orgId} and sandbox_org_id = ${sandboxOrgId} and deleted_at < now() - interval '1 hour'`)
}

/** Sweeps every 5 seconds. Several processes may do so at once. Returns a function that stops it. */
export function sweepSandboxes(scope: SystemScope, log: Log): () => Promise<void> {
  return repeatEvery(
    intervalMs,
    (stopping) => sweepOnce(scope, stopping),
    (error) => log.warn({ err: error }, 'a deleted sandbox still has rows; retrying in 5 seconds'),
  )
}
