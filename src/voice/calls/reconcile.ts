import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import { type NextDue, repeatAfterCommits } from '../../platform/db/repeat-after-commits.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { type PollResult, savePollResult } from './attempts.ts'
import type { CallRow } from './calls.ts'
import { callMetrics, withTiming } from './metrics.ts'
import { adapterFor } from './provider-adapter.ts'

const intervalMs = 500
/** How many calls a process polls at once. */
const polledMax = 32
/**
 * The maximum number of calls of one org in a claim. A claim skips only orgs with this number of running polls, so up to 15
 * polls of an org may run at once.
 */
const perOrgMax = 8
/** How many due calls a claim reads at most. */
const dueCallsReadMax = 200
const stopMs = 3_000
/** After this time, another process may poll a claimed call. */
const leaseSeconds = 60

/** When the next poll of a call is due. */
const nextDue: NextDue = () => sql`
  select (extract(epoch from min(check_at)) - ${Date.now() / 1_000})::float as seconds from call
  where check_at is not null`

/** A call to poll. `to_number` is null for an ended call whose number was erased. */
type Due = Pick<
  CallRow,
  'call_id' | 'provider' | 'status' | 'to_number' | 'from_number' | 'created_ms' | 'checks'
> & { org_id: string }

/**
 * Polls providers for calls whose state may be out of date after a crash, an unclear answer or a lost callback. Never
 * dials. Any number of processes may poll. Returns a function that stops it.
 */
export function reconcileCalls(scope: SystemScope, context: Context): () => Promise<void> {
  const stop = repeatAfterCommits(
    scope,
    { everyMs: intervalMs, nextDue },
    (stopping) => reconcileAll(scope, context, Date.now, stopping),
    (error) => context.log.warn({ err: error }, 'calls could not be reconciled; the next round tries again'),
  )
  return async () => {
    // Do not wait longer for providers: another process polls these calls again.
    await Promise.race([stop(), delay(stopMs, undefined, { ref: false })])
  }
}

/** Polls all due calls. A slow provider delays only calls of the same org. */
export async function reconcileAll(
  scope: SystemScope,
  context: Context,
  now: () => number = Date.now,
  stopping: () => boolean = () => false,
): Promise<void> {
  const polling = new Map<Promise<void>, string>()
  for (let due: Due[] = []; !stopping(); ) {
    const room = polledMax - polling.size
    const busy = orgsAtLimit([...polling.values()])
    due = room > 0 ? await claimDue(scope, now(), room, busy) : []
    for (const call of due) {
      const polled = reconcile(context, call, now()).finally(() => polling.delete(polled))
      polling.set(polled, call.org_id)
    }
    if (polling.size === 0) {
      // Claim again: the claim skipped orgs at their limit, and their polls may have ended since.
      if (busy.length > 0) continue
      return
    }
    if (due.length < room || room === 0) await Promise.race([...polling.keys(), delay(intervalMs)])
  }
  await Promise.all(polling.keys())
}

function orgsAtLimit(orgIds: readonly string[]): string[] {
  const byOrg = Map.groupBy(orgIds, (orgId) => orgId)
  return [...byOrg].filter(([, { length }]) => length >= perOrgMax).map(([orgId]) => orgId)
}

function claimDue(scope: SystemScope, now: number, max: number, busyOrgs: readonly string[]): Promise<Due[]> {
  const time = sql`to_timestamp(${now} / 1000.0)`
  return scope.transact((tx) =>
    tx.rows(sql<Due>`
      update call c set check_at = ${time} + make_interval(secs => ${leaseSeconds})
      from (
        select org_id, call_id from call
        where check_at <= ${time} and (org_id, call_id) in (
          select org_id, call_id from (
            select org_id, call_id, row_number() over (partition by org_id order by check_at) as nth
            from (
              select org_id, call_id, check_at from call
              where check_at <= ${time} and org_id <> all(${busyOrgs}::uuid[])
              order by check_at limit ${rawSql(`${dueCallsReadMax}`)}
            ) as oldest
          ) as counted
          where nth <= ${rawSql(`${perOrgMax}`)}
        )
        order by check_at limit ${max} for update skip locked
      ) as due
      where c.org_id = due.org_id and c.call_id = due.call_id
      returning c.org_id, c.call_id, c.provider, c.status, c.to_number, c.from_number, c.checks,
        round(extract(epoch from c.created_at) * 1000)::bigint as created_ms`),
  )
}

async function reconcile(context: Context, due: Due, now: number): Promise<void> {
  const org = context.database.org(due.org_id)
  const found = await poll(context, due)
  const result = typeof found === 'object' ? 'found' : found
  callMetrics(context).polls.inc({ provider: due.provider, result })
  const seconds = secondsToNext(context, due)
  // If the result cannot be stored, store `silent`, so that polling ends after a day.
  for (const result of [found, 'silent'] as const) {
    try {
      return await org.transact((tx) => savePollResult(tx, due.call_id, result, now, seconds))
    } catch (error) {
      if (isUnavailable(error)) return
      context.log.error({ err: error, call_id: due.call_id }, 'the result of a poll could not be stored')
    }
  }
}

async function poll(context: Context, due: Due): Promise<PollResult> {
  const { to_number: to } = due
  if (to === null) return 'absent'
  try {
    const provider = await adapterFor(context, context.database.org(due.org_id), due.provider)
    if (provider === null) return 'silent'
    const order = { callId: due.call_id, to, from: due.from_number }
    const find = () => provider.find(order, new Date(due.created_ms))
    const call = await withTiming(context, due.provider, 'find', find)
    return call === null ? 'absent' : { call }
  } catch (error) {
    const about = { err: error, org_id: due.org_id, call_id: due.call_id, provider: due.provider }
    context.log.warn(about, 'a provider did not report the state of a call; it is polled again')
    return 'silent'
  }
}

/**
 * The seconds until the next poll: short while it is unknown whether the phone rings, longer later, and shorter if
 * the provider sends no callbacks.
 */
function secondsToNext({ config }: Context, { status, provider, checks }: Due): number {
  const isUnconfirmed = status === 'dispatching' || status === 'unknown'
  if (isUnconfirmed) return Math.min(2 ** Math.min(checks, 9), 300)
  const hasCallbacks = provider === 'simulator' || config.publicUrl !== null
  return Math.min((hasCallbacks ? 60 : 5) * (1 + checks / 10), 300)
}
