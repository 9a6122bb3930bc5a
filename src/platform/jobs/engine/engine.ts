import type { ClientConfig } from 'pg'
import { type Db, PgBoss } from 'pg-boss'
import { toUnavailable } from '../../db/errors.ts'
import { CommitWatch } from '../../db/repeat-after-commits.ts'
import { foreignSql, sql, unprepared } from '../../db/sql.ts'
import type { SystemScope } from '../../db/system.ts'
import type { Tx } from '../../db/tx.ts'
import type { Log } from '../../log.ts'
import { repeatEvery } from '../../repeat-every.ts'
import { hasDeadJobs, JobClaims, nextStart } from './claims.ts'
import { requireColumns } from './tables.ts'
import { wakeChannel, wakeWorkers } from './wake.ts'

const superviseMs = 2_000
/** Jobs that run longer than a day, and old failed jobs, wait for this. */
const fullPassMs = 60_000

type Listener = Awaited<ReturnType<NonNullable<Db['listen']>>>

export type NewJob = {
  payload: object
  /** The id of the job's org, or `installation`. */
  lane: string
  serialKey: string | undefined
  startAfter: Date | undefined
}

/**
 * The queue, based on pg-boss. Only this folder knows pg-boss, which inserts, retries and expires jobs. `JobClaims`
 * chooses the next job: pg-boss would choose the oldest job even if another org waits, and would run four jobs of a
 * group at once.
 */
export class Engine {
  readonly claims: JobClaims
  /** Whether there may be new jobs to claim. */
  readonly commits: CommitWatch
  readonly #supervises: boolean
  readonly #log: Log
  readonly #scope: SystemScope
  readonly #boss: PgBoss
  #listener: Listener | null = null
  #stopSupervising = async () => {}
  #passedAt = 0

  /**
   * @param options.supervises true for a worker: retries the jobs of dead processes
   * @param options.answerMs the time limit of the engine's own statements
   */
  constructor(
    scope: SystemScope,
    connection: ClientConfig,
    log: Log,
    { supervises, answerMs = 60_000 }: { supervises: boolean; answerMs?: number },
  ) {
    this.#scope = scope
    this.#supervises = supervises
    this.#log = log
    this.commits = new CommitWatch(scope, nextStart)
    this.#boss = new PgBoss({
      // Without a timeout, the engine would wait forever on a dead connection, and supervise nothing.
      ...({ ...connection, query_timeout: answerMs } as object),
      schema: 'pgboss',
      application_name: 'crosswalk jobs',
      max: 2,
      migrate: false,
      createSchema: false,
      schedule: false,
      supervise: false,
      monitorIntervalSeconds: 1,
      // Crosswalk uses no flows of jobs.
      flowIntervalSeconds: 86_400,
      // The system role owns no index. Vacuum is the operator's task.
      reindex: false,
      monitorVacuum: false,
    })
    this.#boss.on('error', (error) =>
      log.warn({ err: toUnavailable(error) }, 'the job engine reports an error'),
    )
    this.claims = new JobClaims(scope, (claim, reason, tx) =>
      // Use the caller's transaction: if a connection of the engine hung, the job would keep its slot.
      this.#boss.fail(claim.name, claim, { reason }, { db: engineDb(tx) }),
    )
  }

  /** @throws Error if pg-boss's tables differ from the tables of the release that this code expects */
  async start(): Promise<void> {
    await requireColumns(this.#scope)
    await this.#boss.start()
    if (!this.#supervises) return
    this.#passedAt = performance.now()
    const warn = (error: unknown) =>
      this.#log.warn({ err: toUnavailable(error) }, 'jobs of dead processes were not retried yet')
    this.#stopSupervising = repeatEvery(superviseMs, () => this.#supervise(), warn)
  }

  /**
   * Makes pg-boss retry the jobs of dead processes, and delete old jobs. A pass writes to every queue, so it runs only
   * if there are jobs of dead processes, or if the last pass was a minute ago.
   */
  async #supervise(): Promise<void> {
    const now = performance.now()
    if (now - this.#passedAt < fullPassMs && !(await hasDeadJobs(this.#scope))) return
    await this.#boss.supervise()
    this.#passedAt = now
  }

  /** Inserts jobs of one queue with one statement. The workers are notified when `tx` commits. */
  async send(tx: Tx, name: string, jobs: readonly NewJob[]): Promise<void> {
    const sent = this.#boss.insert(
      name,
      jobs.map(({ payload, lane, serialKey, startAfter }) => ({
        data: payload,
        group: { id: lane },
        ...(serialKey === undefined ? {} : { singletonKey: serialKey }),
        ...(startAfter === undefined ? {} : { startAfter }),
      })),
      { db: engineDb(tx) },
    )
    await Promise.all([sent, wakeWorkers(tx)])
  }

  /** Returns the given serial keys for which no job of this name waits or runs. */
  async missingSerialKeys(
    tx: Tx,
    name: string,
    wanted: readonly { lane: string; serialKey: string }[],
  ): Promise<string[]> {
    const lanes = wanted.map(({ lane }) => lane)
    const serialKeys = wanted.map(({ serialKey }) => serialKey)
    // Separate conditions for waiting and running jobs, because each has its own index.
    const statement = sql<{ serial_key: string }>`
      select wanted.serial_key from unnest(${lanes}::text[], ${serialKeys}::text[]) as wanted (lane, serial_key)
      where not exists (
        select from pgboss.job_common j
        where j.state < 'active' and j.name = ${name} and j.group_id = wanted.lane
          and j.singleton_key = wanted.serial_key
      ) and not exists (
        select from pgboss.job_common j
        where j.state = 'active' and j.name = ${name} and j.singleton_key = wanted.serial_key
      )`
    const rows = await tx.rows(unprepared(statement))
    return rows.map((row) => row.serial_key)
  }

  /** Calls `wake` when any process enqueues a job, and after a lost connection listens again. */
  async listen(wake: () => void): Promise<void> {
    this.#listener ??= (await this.#boss.getDb().listen?.(wakeChannel, wake, wake)) ?? null
  }

  /** Closes the connections of the engine. After that, nothing can be enqueued. */
  async close(): Promise<void> {
    await Promise.all([this.#listener?.close(), this.#stopSupervising()])
    await this.#boss.stop({ graceful: false, close: true })
  }
}

/** Makes pg-boss use a transaction of Crosswalk. */
function engineDb(tx: Tx): Db {
  const executeSql = async (text: string, values: unknown[] = []) => ({
    rows: await tx.rows(foreignSql(text, values)),
  })
  return { executeSql } as Db
}
