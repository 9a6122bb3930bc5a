import type { Client, ClientConfig } from 'pg'
import { PgBoss, type Queue, type WorkOptions } from 'pg-boss'
import type { Context } from '../context.ts'
import type { Tx } from '../db/tx.ts'
import type { Log } from '../log.ts'
import type { AnyJob, Job } from './job.ts'

const schema = 'pgboss'
const defaultRetries = 8

/** Where the engine puts what it gave up on. */
const abandonedQueue = (name: string) => `${name}_abandoned`

/** Makes the engine's schema and one queue for each job; run with the migrations, as the owner. */
export async function installJobs(
  owner: Client,
  connection: ClientConfig,
  jobs: readonly AnyJob[],
): Promise<void> {
  const boss = new PgBoss({ ...(connection as object), schema, max: 2, supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  try {
    for (const { name, retries, abandoned } of jobs) {
      const queue = {
        retryLimit: retries ?? defaultRetries,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: 300,
        // A worker that died is noticed after this; the engine takes no less than 10.
        heartbeatSeconds: 10,
        expireInSeconds: 86_000,
        notify: true,
      }
      if (abandoned) await install(boss, abandonedQueue(name), { ...queue, retryLimit: defaultRetries })
      await install(boss, name, { ...queue, ...(abandoned ? { deadLetter: abandonedQueue(name) } : {}) })
    }
  } finally {
    await boss.stop({ graceful: false })
  }
  await owner.query(`
    grant usage on schema ${schema} to crosswalk_app, crosswalk_system;
    grant select, insert, update, delete on all tables in schema ${schema} to crosswalk_system;
    grant select, insert on all tables in schema ${schema} to crosswalk_app;
    grant usage on all sequences in schema ${schema} to crosswalk_app, crosswalk_system;
    grant execute on all functions in schema ${schema} to crosswalk_app, crosswalk_system;`)
}

async function install(boss: PgBoss, name: string, queue: Omit<Queue, 'name'>): Promise<void> {
  if (await boss.getQueue(name)) await boss.updateQueue(name, queue)
  else await boss.createQueue(name, queue)
}

/** Enqueues background jobs in their caller's transaction, and works them off where this process is a worker. */
export class Jobs {
  readonly #boss: PgBoss
  readonly #log: Log
  #working = false

  constructor(connection: ClientConfig, log: Log, options: { works: boolean }) {
    this.#log = log
    this.#boss = new PgBoss({
      ...(connection as object),
      schema,
      application_name: 'crosswalk jobs',
      max: 4,
      migrate: false,
      createSchema: false,
      schedule: false,
      supervise: options.works,
      superviseIntervalSeconds: 1,
      monitorIntervalSeconds: 1,
      useListenNotify: options.works,
      // The system role owns no index, and vacuum is the operator's.
      reindex: false,
      monitorVacuum: false,
    })
    this.#boss.on('error', (error) => this.#log.warn({ err: error }, 'the job engine reports an error'))
  }

  async start(): Promise<void> {
    await this.#boss.start()
  }

  /** Adds a job that starts once `tx` has committed, and never if it does not. */
  async enqueue<Payload>(tx: Tx, definition: Job<Payload>, payload: Payload & object): Promise<void> {
    const executeSql = async (text: string, values?: unknown[]) => ({
      rows: await tx.rows({ text, values: values ?? [] }),
    })
    await this.#boss.send(definition.name, payload, { db: { executeSql } } as never)
  }

  /** Starts to work off jobs of these kinds. */
  async work(definitions: readonly AnyJob[], context: Context): Promise<void> {
    this.#working = true
    for (const { name, payload, concurrency = 2, run, abandoned } of definitions) {
      const polling = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 }
      await this.#handle(name, { localConcurrency: concurrency, ...polling }, { payload, run }, context)
      if (!abandoned) continue
      // Nobody waits for these.
      const options = { pollingIntervalSeconds: 5, notifyPollingIntervalSeconds: 5 }
      await this.#handle(abandonedQueue(name), options, { payload, run: abandoned }, context)
    }
  }

  async #handle(
    queue: string,
    options: WorkOptions,
    { payload, run }: Pick<AnyJob, 'payload' | 'run'>,
    context: Context,
  ): Promise<void> {
    await this.#boss.work<unknown>(queue, options, async ([found]) => {
      const { data, id, signal } = found!
      const startedAt = performance.now()
      try {
        await run({ payload: payload.parse(data) as never, context, signal })
        const ms = Math.round(performance.now() - startedAt)
        this.#log.info({ job: queue, job_id: id, ms }, 'job done')
      } catch (error) {
        this.#log.warn({ err: error, job: queue, job_id: id }, 'job failed')
        throw error
      }
    })
  }

  /** Waits up to `timeoutMs` for running jobs, then tells them to stop. */
  async stop(timeoutMs: number): Promise<void> {
    await this.#boss.stop({ graceful: this.#working, timeout: timeoutMs, close: true })
  }
}
