import { recordEvents } from '../events/record.ts'
import { systemOf } from '../platform/actor.ts'
import { tryLockExclusive } from '../platform/db/advisory-lock.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql, unprepared } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Tx } from '../platform/db/tx.ts'
import { joinPayer, payerId } from '../platform/jobs/payer.ts'
import { runStep } from '../platform/jobs/steps.ts'
import type { Log } from '../platform/log.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { closeDoors } from './doors.ts'
import { type PurgeStep, readPurgeSteps } from './purge-steps.ts'

const intervalMs = 5_000
const rowsAtOnce = 2_000
const expiredAtOnce = 100
/** A sandbox may have millions of rows. So sandboxes of other organizations get their turn after this time. */
const turnMsDefault = 2_000

type Doomed = { org_id: string; sandbox_org_id: string }

/** `payer_id`: the owner of the sandbox, or the owner's agency. */
type Due = Doomed & { payer_id: string }

/** Marks expired sandboxes as deleted, and ends their keys, forms and webhooks. Returns the number of these sandboxes. */
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
        await closeDoors(tx, objectId)
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

type Turn = { ms: number; stopping: () => boolean }

/**
 * Deletes rows of a sandbox for one turn, in steps of its payer.
 * @returns `empty` after a whole pass that found no row; `skipped` if another process deletes them
 */
async function purge(
  scope: SystemScope,
  steps: readonly PurgeStep[],
  { payer_id: payer, sandbox_org_id: orgId }: Due,
  { ms, stopping }: Turn,
): Promise<'empty' | 'unfinished' | 'skipped'> {
  const end = performance.now() + ms
  for (;;) {
    let deletedInPass = 0
    for (const step of steps) {
      let deleted: number | null
      do {
        if (stopping()) return 'unfinished'
        if (deletedInPass > 0 && performance.now() >= end) return 'unfinished'
        deleted = await runStep(payer, () => scope.transact((tx) => deleteSome(tx, step, orgId)))
        if (deleted === null) return 'skipped'
        deletedInPass += deleted
      } while (deleted > 0)
    }
    // One pass is not enough, because deleting records writes to the tables of totals.
    if (deletedInPass === 0) return 'empty'
  }
}

/** For each organization, the sandbox that has waited longest until its rows are deleted. Leaves out the sandboxes in `seen`. */
function readDue(scope: SystemScope, seen: ReadonlySet<string>): Promise<Due[]> {
  return scope.readRows(sql<Due>`
    select due.*, coalesce(${payerId}, due.org_id) as payer_id
    from (
      select distinct on (org_id) org_id, sandbox_org_id from sandbox
      where purge_at <= now() and sandbox_org_id <> all(${[...seen]}::uuid[])
      order by org_id, purge_at, sandbox_org_id) as due
    ${joinPayer(sql`due.org_id`)}`)
}

/**
 * Deletes expired sandboxes, and then their rows in small transactions. Organizations take turns. After a crash, the next
 * sweep continues. Checks a deleted sandbox for one more hour, because a running job may still write rows.
 */
export async function sweepOnce(
  scope: SystemScope,
  stopping = () => false,
  turnMs = turnMsDefault,
): Promise<void> {
  const errors: unknown[] = []
  /** The sandboxes that this sweep is done with. */
  const seen = new Set<string>()
  let steps: PurgeStep[] | null = null
  for (;;) {
    while ((await scope.transact(expire)) === expiredAtOnce && !stopping());
    const due = await readDue(scope, seen)
    if (due.length === 0 || stopping()) break
    steps ??= await scope.read(readPurgeSteps)
    for (const each of due) {
      if (stopping()) break
      // Continue with the next sandbox if this one cannot be deleted.
      const result = await purge(scope, steps, each, { ms: turnMs, stopping }).catch((error) => {
        errors.push(error)
        return 'skipped'
      })
      if (result !== 'unfinished') seen.add(each.sandbox_org_id)
      if (result === 'empty') await scope.transact((tx) => notePurged(tx, each.org_id, each.sandbox_org_id))
    }
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
