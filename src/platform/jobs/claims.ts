import type { Db, PgBoss } from 'pg-boss'
import type { SystemScope } from '../db/system.ts'
import type { Tx } from '../db/tx.ts'
import { PermanentFailure } from './job.ts'
import { failureReason } from './reason.ts'

/** A job that this process has taken to run. */
export type Claim = {
  id: string
  name: string
  data: unknown
  /** Its org's id, or `installation`. */
  lane: string
  /** True if another with its key may not run meanwhile. */
  serial: boolean
  retryCount: number
  /** When it was taken, to the microsecond: whoever took it before can settle nothing any more. */
  takenAt: string
}

/** What one process can take right now. */
export type Capacity = {
  /** Queues with a free slot. */
  names: string[]
  /** Lanes that have their share of slots: `<name> <lane>`. */
  full: string[]
  /** Lanes in the order in which they were served last, the most recent one at the end. */
  served: string[]
}

/** How long a job may be without a sign of life from its process. pg-boss takes no less. */
export const heartbeatSeconds = 10

/** Takes jobs to run, keeps them, and says how they ended. */
export class Claims {
  readonly #scope: SystemScope
  readonly #boss: PgBoss

  constructor(scope: SystemScope, boss: PgBoss) {
    this.#scope = scope
    this.#boss = boss
  }

  /**
   * The next job for this process, or null. Each org that waits has its turn, the one whose last turn is the longest
   * ago first; within an org, the job that has been due the longest and whose key is not at work anywhere.
   */
  async next({ names, full, served }: Capacity): Promise<Claim | null> {
    for (;;) {
      try {
        const claim = await this.#scope.transact((tx) =>
          tx.first<Claim>({ text: claimNext, values: [names, full, served], once: true }),
        )
        return claim ?? null
      } catch (error) {
        // Another process took a job with the same key at the same moment; now that can be seen.
        if ((error as { constraint?: string }).constraint !== 'crosswalk_serial') throw error
      }
    }
  }

  /** Says that the job still runs here. False: it does not, having been given to another process. */
  keep(claim: Claim): Promise<boolean> {
    return this.#settle(claim, 'update pgboss.job_common set heartbeat_on = now()')
  }

  /** Removes a job that has done its work. False: another process has it by now. */
  done(claim: Claim): Promise<boolean> {
    return this.#settle(claim, 'delete from pgboss.job_common')
  }

  /** Puts a job back, as if it had not been taken: this try counts for nothing. */
  handBack(claim: Claim): Promise<boolean> {
    return this.#settle(
      claim,
      `update pgboss.job_common
       set state = 'retry', started_on = null, heartbeat_on = null, start_after = now()`,
    )
  }

  /** Has the job tried again later, or given up if this was its last try or `error` is permanent. */
  async failed(claim: Claim, error: unknown): Promise<void> {
    const limit = error instanceof PermanentFailure ? 'retry_count' : 'retry_limit'
    await this.#scope.transact(async (tx) => {
      const isOurs = await settle(tx, claim, `update pgboss.job_common set retry_limit = ${limit}`)
      const reason = failureReason(error)
      // Not on a connection of the engine's: one that nothing answers on would hold the job, and its slot, meanwhile.
      if (isOurs) await this.#boss.fail(claim.name, claim, { reason }, { db: engineDb(tx) })
    })
  }

  #settle(claim: Claim, verb: string): Promise<boolean> {
    return this.#scope.transact((tx) => settle(tx, claim, verb))
  }
}

async function settle(tx: Tx, { name, id, takenAt }: Claim, verb: string): Promise<boolean> {
  const text = `${verb} where name = $1 and id = $2 and state = 'active' and started_on = $3`
  return (await tx.run({ text, values: [name, id, takenAt] })) === 1
}

/** A transaction of ours, as the engine takes it. */
export function engineDb(tx: Tx): Db {
  const executeSql = async (text: string, values: unknown[] = []) => ({
    rows: await tx.rows({ text, values }),
  })
  return { executeSql } as Db
}

/** Wakes every worker once `tx` has committed. */
export async function wakeWorkers(tx: Tx): Promise<void> {
  await tx.run({ text: `select pg_notify('${wakeChannel}', '')`, values: [] })
}

export const wakeChannel = 'crosswalk_jobs'

// A lane is an org's jobs of one name. The recursion steps from lane to lane on the index crosswalk_waiting, whatever
// their length. The unique index crosswalk_serial keeps two processes from taking two jobs of one key at once.
const claimNext = `
  with claimed as (
    select head.name, head.id
    from (
      select lane.name, lane.group_id
      from unnest($1::text[]) as wanted(name)
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
        select * from lane where start_after <= now() and name || ' ' || group_id <> all ($2::text[])
      ) as lane
      left join unnest($3::text[]) with ordinality as served(lane, turn)
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
    j.retry_count as "retryCount", j.started_on::text as "takenAt"`
