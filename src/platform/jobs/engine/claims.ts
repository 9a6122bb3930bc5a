import { Batcher } from '../../batcher.ts'
import type { NextDue } from '../../db/repeat-after-commits.ts'
import { rawSql, type Sql, sql, unprepared } from '../../db/sql.ts'
import type { SystemScope } from '../../db/system.ts'
import type { Tx } from '../../db/tx.ts'
import { failureReason } from '../reason.ts'
import { PermanentFailure } from '../retry.ts'
import { dueLanes } from './due-lanes.ts'
import { wakeWorkers } from './wake.ts'

export type JobClaim = {
  id: string
  name: string
  data: unknown
  /** The id of the job's org, or `installation`. */
  lane: string
  /** The payer of the lane: the id of an org, or `installation`. */
  payer: string
  /** Whether no other job with the serial key may run at the same time. */
  serial: boolean
  retryCount: number
  /**
   * The time of the claim, to the microsecond. If another process has claimed the job since, this claim cannot change
   * it.
   */
  claimedAt: string
}

/** How many more jobs one process can claim. */
export type Capacity = {
  /** The queues with a free slot. */
  queues: QueueCapacity[]
  /** The payers with running jobs, as `<name> <payer>`, with the number of jobs. */
  running: { payer: string; count: number }[]
  /** Payers, as `<name> <payer>`, in the order in which they were last served, the most recent one at the end. */
  servedPayers: string[]
  /** Lanes, as `<name> <lane>`, in the same order. */
  servedLanes: string[]
}

export type QueueCapacity = {
  name: string
  /** The number of free slots. */
  free: number
  /** The number of slots that one payer may use at once. */
  payerMax: number
}

/** How many jobs of a queue a process claims at once. Other processes get the rest. */
const claimsMax = 16

/** A job without a heartbeat for this time counts as stopped. pg-boss accepts no shorter time. */
export const heartbeatSeconds = 10

/** Makes pg-boss retry a failed job, or give it up. */
type FailJob = (claim: JobClaim, reason: string, tx: Tx) => Promise<unknown>

/** Claims jobs to run, renews the claims, and records how the jobs ended. */
export class JobClaims {
  readonly #scope: SystemScope
  readonly #fail: FailJob
  readonly #completed = new Batcher((claims: readonly JobClaim[]) =>
    this.#scope.transact((tx) => removeClaimed(tx, claims)),
  )

  constructor(scope: SystemScope, fail: FailJob) {
    this.#scope = scope
    this.#fail = fail
  }

  /**
   * Claims the next due jobs for this process, at most 16 of each queue. Payers with due jobs get equal numbers; the
   * payer that has waited longest comes first. The same applies to the lanes of one payer. A job whose serial key is
   * running is skipped.
   */
  async next(capacity: Capacity): Promise<JobClaim[]> {
    for (;;) {
      try {
        return await this.#scope.transact((tx) => tx.rows(unprepared(claimNext(capacity))))
      } catch (error) {
        // Another process claimed a job with the same serial key at the same time. The next attempt sees that claim.
        if ((error as { constraint?: string }).constraint !== 'crosswalk_serial') throw error
      }
    }
  }

  /** Whether `next` may find a job. It takes a small part of the time of `next`, whose statement is planned each time. */
  mayHaveNext(): Promise<boolean> {
    return hasDueJobs(this.#scope)
  }

  /** Records that the job still runs here. Returns false if another process has claimed it. */
  keep(claim: JobClaim): Promise<boolean> {
    return this.#change(claim, sql`update pgboss.job_common set heartbeat_on = now()`)
  }

  /**
   * Removes a completed job. Returns false if another process has claimed it. Jobs that complete at about the same
   * time are removed together, with one commit.
   */
  done(claim: JobClaim): Promise<boolean> {
    return this.#completed.add(claim)
  }

  /**
   * Returns a job to the queue for its next turn, as a new job with this data. Returns false if another process has
   * claimed it.
   */
  again(claim: JobClaim, data: object): Promise<boolean> {
    return this.#scope.transact(async (tx) => {
      const isOurs = await changeClaimed(
        tx,
        claim,
        sql`update pgboss.job_common
          set data = ${JSON.stringify(data)}, state = 'created', created_on = now(), start_after = now(),
            started_on = null, heartbeat_on = null, retry_count = 0, output = null, keep_until = now() + (
              select retention_seconds from pgboss.queue q where q.name = job_common.name) * interval '1 second'`,
      )
      if (isOurs) await wakeWorkers(tx)
      return isOurs
    })
  }

  /** Returns a job to the queue. The current try does not count. */
  handBack(claim: JobClaim): Promise<boolean> {
    return this.#change(
      claim,
      sql`update pgboss.job_common
       set state = 'retry', started_on = null, heartbeat_on = null, start_after = now()`,
    )
  }

  /** Schedules a retry of the job. Gives it up if this was its last try, or if `error` is permanent. */
  async failed(claim: JobClaim, error: unknown): Promise<void> {
    const limit = rawSql(error instanceof PermanentFailure ? 'retry_count' : 'retry_limit')
    await this.#scope.transact(async (tx) => {
      const isOurs = await changeClaimed(tx, claim, sql`update pgboss.job_common set retry_limit = ${limit}`)
      if (isOurs) await this.#fail(claim, failureReason(error), tx)
    })
  }

  #change(claim: JobClaim, verb: Sql): Promise<boolean> {
    return this.#scope.transact((tx) => changeClaimed(tx, claim, verb))
  }
}

/** When the next delayed job may start. */
export const nextStart: NextDue = () =>
  unprepared(sql`
    select extract(epoch from min(start_after) - now())::float as seconds from pgboss.job_common
    where state < 'active' and start_after > now()`)

/** Whether a job is due. It may still have to wait, for a slot or for a job with its serial key. */
async function hasDueJobs(scope: SystemScope): Promise<boolean> {
  const rows = await scope.readRows(sql`
    select from pgboss.job_common where state < 'active' and start_after <= now() limit 1`)
  return rows.length > 0
}

/** Whether a job runs without heartbeats. */
export async function hasDeadJobs(scope: SystemScope): Promise<boolean> {
  const rows = await scope.readRows(
    unprepared(sql`
      select from pgboss.job_common
      where state = 'active' and heartbeat_on + heartbeat_seconds * interval '1 second' < now() limit 1`),
  )
  return rows.length > 0
}

/** Changes a claimed job. Returns false if another process has claimed it in the meantime. */
async function changeClaimed(tx: Tx, { name, id, claimedAt }: JobClaim, verb: Sql): Promise<boolean> {
  const changed = await tx.run(sql`
    ${verb} where name = ${name} and id = ${id} and state = 'active' and started_on = ${claimedAt}`)
  return changed === 1
}

/** Removes claimed jobs. Returns for each whether it was removed: false if another process has claimed it. */
async function removeClaimed(tx: Tx, claims: readonly JobClaim[]): Promise<boolean[]> {
  const removed = await tx.rows(sql<{ id: string }>`
    delete from pgboss.job_common j
    using unnest(${claims.map(({ name }) => name)}::text[], ${claims.map(({ id }) => id)}::uuid[],
      ${claims.map(({ claimedAt }) => claimedAt)}::timestamptz[]) as done (name, id, claimed_at)
    where j.name = done.name and j.id = done.id and j.state = 'active' and j.started_on = done.claimed_at
    returning j.id`)
  const ids = new Set(removed.map(({ id }) => id))
  return claims.map(({ id }) => ids.has(id))
}

// A lane is the jobs of one org and name. Each payer with due jobs gets an equal number of slots, at least one, while
// slots are free, and divides them among its lanes. A lane without a job to claim leaves its part to the next lane. The
// unique index crosswalk_serial prevents two running jobs with one serial key, so a claim takes one job of each serial
// key.
const claimNext = ({ queues, running, servedPayers, servedLanes }: Capacity) => sql<JobClaim>`
  with locked as (
    select head.*
    from unnest(${queues.map(({ name }) => name)}::text[],
      ${queues.map(({ free }) => Math.min(free, claimsMax))}::integer[],
      ${queues.map(({ payerMax }) => payerMax)}::integer[]) as wanted (name, free, payer_max)
    cross join lateral (
      select payer.payer, head.*
      from (
        select payer.payer, payer.lanes,
          least(wanted.payer_max - coalesce(running.count, 0), greatest(1, wanted.free / count(*) over ())) as share
        from (
          select lane.payer, min(lane.start_after) as start_after,
            array_agg(lane.group_id order by served.turn nulls first, lane.start_after) as lanes
          from (${dueLanes(sql`wanted.name`)}) as lane
          left join unnest(${servedLanes}::text[]) with ordinality as served (lane, turn)
            on served.lane = wanted.name || ' ' || lane.group_id
          group by lane.payer
        ) as payer
        left join unnest(${running.map(({ payer }) => payer)}::text[],
          ${running.map(({ count }) => count)}::integer[]) as running (payer, count)
          on running.payer = wanted.name || ' ' || payer.payer
        left join unnest(${servedPayers}::text[]) with ordinality as served (payer, turn)
          on served.payer = wanted.name || ' ' || payer.payer
        where coalesce(running.count, 0) < wanted.payer_max
        order by served.turn nulls first, payer.start_after
      ) as payer
      cross join lateral (
        select head.*
        from unnest(payer.lanes) with ordinality as lane (group_id, turn)
        cross join lateral (
          select j.name, j.id, j.singleton_key, j.start_after from pgboss.job_common j
          where j.state < 'active' and j.name = wanted.name and j.group_id = lane.group_id and j.start_after <= now()
            and not exists (
              select from pgboss.job_common busy where busy.state = 'active' and busy.singleton_key = j.singleton_key
            )
          order by j.start_after limit greatest(1, payer.share / cardinality(payer.lanes))
          for update of j skip locked
        ) as head
        order by lane.turn limit payer.share
      ) as head
      limit wanted.free
    ) as head
  ), claimed as (
    select distinct on (coalesce(singleton_key, id::text)) name, id, payer from locked
    order by coalesce(singleton_key, id::text), start_after
  )
  update pgboss.job_common j
  set state = 'active', started_on = now(), heartbeat_on = now(),
    retry_count = case when j.started_on is null then j.retry_count else j.retry_count + 1 end
  from claimed
  where j.name = claimed.name and j.id = claimed.id
  returning j.id, j.name, j.data, j.group_id as lane, claimed.payer, j.singleton_key is not null as serial,
    j.retry_count as "retryCount", j.started_on::text as "claimedAt"`
