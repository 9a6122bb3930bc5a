import type { ClientConfig } from 'pg'
import { type Db, PgBoss } from 'pg-boss'
import type { Context } from '../context.ts'
import type { SystemScope } from '../db/system.ts'
import type { Tx } from '../db/tx.ts'
import type { Log } from '../log.ts'
import { Claims, engineDb, wakeChannel, wakeWorkers } from './claims.ts'
import { type AnyJob, installationLane, type Job, queuesOf } from './job.ts'
import { Worker } from './worker.ts'

type Listener = Awaited<ReturnType<NonNullable<Db['listen']>>>

/**
 * Enqueues background jobs in their caller's transaction, and works them off where this process is a worker.
 *
 * pg-boss keeps the queue: it inserts jobs, spaces retries, takes jobs from processes that died, and gives up. Which
 * job is next is decided here (`claims.ts`): pg-boss takes the oldest, whichever org waits behind, and its limit of one
 * job per group let four run together.
 */
export class Jobs {
  readonly #boss: PgBoss
  readonly #worker: Worker | null
  readonly #log: Log
  #listener: Listener | null = null

  /** @param answerMs a statement of the engine's own that takes longer is given up with its connection */
  constructor(
    scope: SystemScope,
    connection: ClientConfig,
    log: Log,
    { works, answerMs = 60_000 }: { works: boolean; answerMs?: number },
  ) {
    this.#log = log
    this.#boss = new PgBoss({
      // Otherwise it would wait for good on a connection that is gone without a word, and look after no job any more.
      ...({ ...connection, query_timeout: answerMs } as object),
      schema: 'pgboss',
      application_name: 'crosswalk jobs',
      max: 2,
      migrate: false,
      createSchema: false,
      schedule: false,
      supervise: works,
      superviseIntervalSeconds: 2,
      monitorIntervalSeconds: 2,
      // The system role owns no index, and vacuum is the operator's.
      reindex: false,
      monitorVacuum: false,
    })
    this.#boss.on('error', (error) => log.warn({ err: error }, 'the job engine reports an error'))
    this.#worker = works ? new Worker(new Claims(scope, this.#boss), log) : null
  }

  async start(): Promise<void> {
    await this.#boss.start()
  }

  /** Adds a job that starts once `tx` has committed, and `startAfter` has come; never if `tx` does not commit. */
  async enqueue<Payload>(
    tx: Tx,
    definition: Job<Payload>,
    payload: Payload & object,
    { startAfter }: { startAfter?: Date } = {},
  ): Promise<void> {
    const checked = definition.payload.parse(payload) as Payload & object
    const serialKey = definition.serialKey?.(checked)
    const sent = this.#boss.send(definition.name, checked, {
      db: engineDb(tx),
      group: { id: definition.orgId(checked) ?? installationLane },
      ...(serialKey === undefined ? {} : { singletonKey: serialKey }),
      ...(startAfter === undefined ? {} : { startAfter }),
    })
    await Promise.all([sent, wakeWorkers(tx)])
  }

  /** Starts to work off jobs of these kinds. */
  async work(definitions: readonly AnyJob[], context: Context): Promise<void> {
    const worker = this.#worker!
    worker.add(queuesOf(definitions), context)
    const wake = () => worker.wake()
    try {
      this.#listener ??= (await this.#boss.getDb().listen?.(wakeChannel, wake, wake)) ?? null
    } catch (error) {
      this.#log.warn({ err: error }, 'nobody tells of new jobs; looking for them twice a second')
    }
  }

  /** Waits up to `timeoutMs` for running jobs, then tells them to stop, and hands over what is left a second later. */
  async stopWork(timeoutMs: number): Promise<void> {
    await this.#worker?.stop(timeoutMs)
  }

  /** Lets go of the queue: from now on nothing can be enqueued. */
  async close(): Promise<void> {
    await this.#listener?.close()
    await this.#boss.stop({ graceful: false, close: true })
  }
}
