import { rawSql, type Sql, sql, unprepared } from '../../db/sql.ts'
import type { SystemScope } from '../../db/system.ts'
import type { Tx } from '../../db/tx.ts'
import { failureReason } from '../reason.ts'
import { PermanentFailure } from '../retry.ts'

/** A job that this process has claimed to run. */
export type Claim = {
  id: string
  name: string
  data: unknown
  /** The id of the job's org, or `installation`. */
  lane: string
  /** True if the job has a serial key. Then no other job with that key may run at the same time. */
  serial: boolean
  retryCount: number
  /** The time of the claim, to the microsecond. After another process has claimed the job, this claim can no longer change it. */
  claimedAt: string
}

/** The capacity of one process to claim more jobs. */
export type Capacity = {
  /** Queues with a free slot. */
  names: string[]
  /** Lanes that already use their share of slots: `<name> <lane>`. */
  full: string[]
  /** Lanes in the order in which they were last served, the most recent one at the end. */
  served: string[]
}

/** The time that a job may be without a heartbeat of its process. pg-boss accepts no shorter time. */
export const heartbeatSeconds = 10

/** Tells pg-boss to retry a failed job, or to give it up. */
type FailJob = (claim: Claim, reason: string, tx: Tx) => Promise<unknown>

/** Claims jobs to run, renews the claims, and records how the jobs ended. */
export class Claims {
  readonly #scope: SystemScope
  readonly #fail: FailJob

  constructor(scope: SystemScope, fail: FailJob) {
    this.#scope = scope
    this.#fail = fail
  }

  /**
   * Claims the next job for this process; null if there is none. First it chooses the org that has waited longest for
   * its turn. Then it chooses the org's job that has been due the longest and whose serial key no running job has.
   */
  async next(capacity: Capacity): Promise<Claim | null> {
    for (;;) {
      try {
        const claim = await this.#scope.transact((tx) => tx.first(unprepared(claimNext(capacity))))
        return claim ?? null
      } catch (error) {
        // At the same moment, another process claimed a job with the same serial key. Try again: the next attempt
        // sees that claim.
        if ((error as { constraint?: string }).constraint !== 'crosswalk_serial') throw error
      }
    }
  }

  /** Records that the job still runs here. Returns false if another process has claimed it. */
  keep(claim: Claim): Promise<boolean> {
    return this.#change(claim, sql`update pgboss.job_common set heartbeat_on = now()`)
  }

  /** Removes a completed job. Returns false if another process has claimed it. */
  done(claim: Claim): Promise<boolean> {
    return this.#change(claim, sql`delete from pgboss.job_common`)
  }

  /** Returns a job to the queue. The current try does not count. */
  handBack(claim: Claim): Promise<boolean> {
    return this.#change(
      claim,
      sql`update pgboss.job_common
       set state = 'retry', started_on = null, heartbeat_on = null, start_after = now()`,
    )
  }

  /** Schedules a retry of the job. Gives it up if this was its last try, or if `error` is permanent. */
  async failed(claim: Claim, error: unknown): Promise<void> {
    const limit = rawSql(error instanceof PermanentFailure ? 'retry_count' : 'retry_limit')
    await this.#scope.transact(async (tx) => {
      const isOurs = await changeClaimed(tx, claim, sql`update pgboss.job_common set retry_limit = ${limit}`)
      if (isOurs) await this.#fail(claim, failureReason(error), tx)
    })
  }

  #change(claim: Claim, verb: Sql): Promise<boolean> {
    return this.#scope.transact((tx) => changeClaimed(tx, claim, verb))
  }
}

/** Changes a claimed job. Returns false if another process has claimed it in the meantime. */
async function changeClaimed(tx: Tx, { name, id, claimedAt }: Claim, verb: Sql): Promise<boolean> {
  const changed = await tx.run(sql`
    ${verb} where name = ${name} and id = ${id} and state = 'active' and started_on = ${claimedAt}`)
  return changed === 1
}

// A lane is the jobs of one org and name. The recursion steps from lane to lane on the index crosswalk_waiting, so its
// cost does not depend on the length of the lanes. The unique index crosswalk_serial prevents two processes from
// claiming jobs with the same serial key at once.
const claimNext = ({ names, full, served }: Capacity) => sql<Claim>`
  with claimed as (
    select head.name, head.id
    from (
      select lane.name, lane.group_id
      from unnest(${names}::text[]) as wanted(name)
      cross join lateral (
        with recursive lane as (
          (select name, group_id, start_after from pgboss.job_common
           where state < 'active' and name = wanted.name
           order by name, group_id, start_after limit 1)
          union all
          select next.* from lane cross join lateral (
            select name, group_id, start_after from pgboss.job_common
            where state < 'active' and name = wanted.name and group_id > lane.group_id
            order by name, group_id, start_after limit 1
          ) as next
        )
        select * from lane where start_after <= now() and name || ' ' || group_id <> all (${full}::text[])
      ) as lane
      left join unnest(${served}::text[]) with ordinality as served(lane, turn)
        on served.lane = lane.name || ' ' || lane.group_id
      order by served.turn nulls first, lane.start_after
    ) as lane
    cross join lateral (
      select j.name, j.id from pgboss.job_common j
      where j.state < 'active' and j.name = lane.name and j.group_id = lane.group_id and j.start_after <= now()
        and not exists (
          select from pgboss.job_common busy where busy.state = 'active' and busy.singleton_key = j.singleton_key
        )
      order by j.start_after limit 1
      for update of j skip locked
    ) as head
    limit 1
  )
  update pgboss.job_common j
  set state = 'active', started_on = now(), heartbeat_on = now(),
    retry_count = case when j.started_on is null then j.retry_count else j.retry_count + 1 end
  from claimed
  where j.name = claimed.name and j.id = claimed.id
  returning j.id, j.name, j.data, j.group_id as lane, j.singleton_key is not null as serial,
    j.retry_count as "retryCount", j.started_on::text as "claimedAt"`
