import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { repeat } from '../../platform/repeat.ts'
import type { Provider } from '../credentials.ts'
import { accessTo } from './access.ts'
import { type Found, settleFound } from './attempts.ts'
import { callMetrics, timed } from './metrics.ts'
import type { CallStatus } from './schema.ts'

const lookMs = 500
/** How many calls a process asks for at once, and how many of one org: it may be at its most with nearly twice these. */
const [askedAtOnce, askedPerOrg] = [32, 8]
const lookedAt = 200
const stopMs = 3_000
/** Another process takes over by then what this one took and did not get done. */
const leaseSeconds = 60

/** A call whose provider is to be asked. */
type Due = {
  org_id: string
  call_id: string
  provider: Provider
  status: CallStatus
  /** null: whom it called was erased after it ended. */
  to_number: string | null
  from_number: string
  created_ms: number
  checks: number
}

/**
 * Asks providers for calls of which nothing is known, or nothing new: those whose process died before it knew what came
 * of dialling, those of which the provider said nothing clear, those whose callbacks do not come, and those that ended
 * without anybody saying how long they were. It never dials. Any number of processes may do so at once. Returns how to stop.
 */
export function reconcileCalls(scope: SystemScope, context: Context): () => Promise<void> {
  const stop = repeat(
    lookMs,
    (stopping) => reconcileAll(scope, context, Date.now, stopping),
    (error) => context.log.warn({ err: error }, 'calls were not reconciled; they are later'),
  )
  return async () => {
    // A provider may take longer to answer than a process has to stop; another process asks again then.
    await Promise.race([stop(), delay(stopMs, undefined, { ref: false })])
  }
}

/** Asks for all calls that are due, until there are none. A provider that takes its time holds up the calls of its org alone. */
export async function reconcileAll(
  scope: SystemScope,
  context: Context,
  now: () => number = Date.now,
  stopping: () => boolean = () => false,
): Promise<void> {
  const asking = new Map<Promise<void>, string>()
  for (let due: Due[] = []; !stopping(); ) {
    const room = askedAtOnce - asking.size
    due = room > 0 ? await takeDue(scope, now(), room, orgsAtTheirMost([...asking.values()])) : []
    for (const call of due) {
      const asked = reconcile(context, call, now()).finally(() => asking.delete(asked))
      asking.set(asked, call.org_id)
    }
    if (asking.size === 0) return
    if (due.length < room || room === 0) await Promise.race([...asking.keys(), delay(lookMs)])
  }
  await Promise.all(asking.keys())
}

function orgsAtTheirMost(orgIds: readonly string[]): string[] {
  const byOrg = Map.groupBy(orgIds, (orgId) => orgId)
  return [...byOrg].filter(([, { length }]) => length >= askedPerOrg).map(([orgId]) => orgId)
}

function takeDue(scope: SystemScope, now: number, most: number, busyOrgs: readonly string[]): Promise<Due[]> {
  return scope.transact((tx) =>
    tx.rows<Due>({
      text: `
        update call c set check_at = to_timestamp($1 / 1000.0) + make_interval(secs => $3)
        from (
          select org_id, call_id from call
          where check_at <= to_timestamp($1 / 1000.0) and (org_id, call_id) in (
            select org_id, call_id from (
              select org_id, call_id, row_number() over (partition by org_id order by check_at) as nth
              from (
                select org_id, call_id, check_at from call
                where check_at <= to_timestamp($1 / 1000.0) and org_id <> all($4::uuid[])
                order by check_at limit ${lookedAt}
              ) as oldest
            ) as counted
            where nth <= ${askedPerOrg}
          )
          order by check_at limit $2 for update skip locked
        ) as due
        where c.org_id = due.org_id and c.call_id = due.call_id
        returning c.org_id, c.call_id, c.provider, c.status, c.to_number, c.from_number, c.checks,
          round(extract(epoch from c.created_at) * 1000)::bigint as created_ms`,
      values: [now, most, leaseSeconds, busyOrgs],
    }),
  )
}

async function reconcile(context: Context, due: Due, now: number): Promise<void> {
  const org = context.database.org(due.org_id)
  const found = await ask(context, due)
  const result = typeof found === 'object' ? 'found' : found
  callMetrics(context).asked.inc({ provider: due.provider, result })
  const seconds = secondsToNext(context, due)
  // What cannot be stored is as if nothing had been said: it is not asked for ever.
  for (const said of [found, 'silent'] as const) {
    try {
      return await org.transact((tx) => settleFound(tx, due.org_id, due.call_id, said, now, seconds))
    } catch (error) {
      if (isUnavailable(error)) return
      context.log.error({ err: error, call_id: due.call_id }, 'a call was not moved')
    }
  }
}

async function ask(context: Context, due: Due): Promise<Found> {
  const { to_number: to } = due
  if (to === null) return 'absent'
  try {
    const provider = await accessTo(context, context.database.org(due.org_id), due.provider)
    if (provider === null) return 'silent'
    const order = { callId: due.call_id, to, from: due.from_number }
    const find = () => provider.find(order, new Date(due.created_ms))
    const call = await timed(context, due.provider, 'find', find)
    return call === null ? 'absent' : { call }
  } catch (error) {
    const about = { err: error, org_id: due.org_id, call_id: due.call_id, provider: due.provider }
    context.log.warn(about, 'a provider did not say how a call goes; it is asked again')
    return 'silent'
  }
}

/** Soon while nobody knows whether it rings, more seldom with each time; where nobody calls back as often as it matters. */
function secondsToNext({ config }: Context, { status, provider, checks }: Due): number {
  const isUnsettled = status === 'dispatching' || status === 'unknown'
  if (isUnsettled) return Math.min(2 ** Math.min(checks, 9), 300)
  const callsBack = provider === 'simulator' || config.publicUrl !== null
  return Math.min((callsBack ? 60 : 5) * (1 + checks / 10), 300)
}
