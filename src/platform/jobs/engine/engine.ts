import type { ClientConfig } from 'pg'
import { type Db, PgBoss } from 'pg-boss'
import { foreignSql, sql, unprepared } from '../../db/sql.ts'
import type { SystemScope } from '../../db/system.ts'
import type { Tx } from '../../db/tx.ts'
import type { Log } from '../../log.ts'
import { Claims } from './claims.ts'
import { requireColumns } from './tables.ts'
import { wakeChannel, wakeWorkers } from './wake.ts'

type Listener = Awaited<ReturnType<NonNullable<Db['listen']>>>

export type NewJob = {
  name: string
  payload: object
  /** The id of the job's org, or `installation`. */
  lane: string
  serialKey: string | undefined
  startAfter: Date | undefined
}

/**
 * The queue: pg-boss inserts jobs, spaces retries, takes jobs away from dead processes, and gives up. Only the files of
 * this folder know pg-boss and its tables. `Claims` decides which job is next: pg-boss takes the oldest job, whichever
 * org waits behind it, and its limit of one job per group lets four run together.
 */
export class Engine {
  readonly claims: Claims
  readonly #scope: SystemScope
  readonly #boss: PgBoss
  #listener: Listener | null = null

  /**
   * @param options.supervises retries the jobs of dead processes, as each worker does
   * @param options.answerMs a statement of the engine's own that takes longer is given up with its connection
   */
  constructor(
    scope: SystemScope,
    connection: ClientConfig,
    log: Log,
    { supervises, answerMs = 60_000 }: { supervises: boolean; answerMs?: number },
  ) {
    this.#scope = scope
    this.#boss = new PgBoss({
      // Without a timeout it would wait forever on a connection that died silently, and supervise nothing meanwhile.
      ...({ ...connection, query_timeout: answerMs } as object),
      schema: 'pgboss',
      application_name: 'crosswalk jobs',
      max: 2,
      migrate: false,
      createSchema: false,
      schedule: false,
      supervise: supervises,
      superviseIntervalSeconds: 2,
      monitorIntervalSeconds: 2,
      // The system role owns no index, and vacuum is the operator's.
      reindex: false,
      monitorVacuum: false,
    })
    this.#boss.on('error', (error) => log.warn({ err: error }, 'the job engine reports an error'))
    this.claims = new Claims(scope, (claim, reason, tx) =>
      // Not on a connection of the engine's own: if that hangs, the job would keep its slot.
      this.#boss.fail(claim.name, claim, { reason }, { db: engineDb(tx) }),
    )
  }

  /** @throws Error if the tables of pg-boss differ from those that this version was written for */
  async start(): Promise<void> {
    await requireColumns(this.#scope)
    await this.#boss.start()
  }

  /** Inserts a job, and wakes the workers, once `tx` has committed. */
  async send(tx: Tx, { name, payload, lane, serialKey, startAfter }: NewJob): Promise<void> {
    const sent = this.#boss.send(name, payload, {
      db: engineDb(tx),
      group: { id: lane },
      ...(serialKey === undefined ? {} : { singletonKey: serialKey }),
      ...(startAfter === undefined ? {} : { startAfter }),
    })
    await Promise.all([sent, wakeWorkers(tx)])
  }

  /** Returns the given serial keys that no waiting or running job of this name has. */
  async missingSerialKeys(
    tx: Tx,
    name: string,
    wanted: readonly { lane: string; serialKey: string }[],
  ): Promise<string[]> {
    const lanes = wanted.map(({ lane }) => lane)
    const serialKeys = wanted.map(({ serialKey }) => serialKey)
    // Two conditions instead of one: each has an index of its own.
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

  /** Calls `wake` whenever a job was enqueued, and after each reconnect. */
  async listen(wake: () => void): Promise<void> {
    this.#listener ??= (await this.#boss.getDb().listen?.(wakeChannel, wake, wake)) ?? null
  }

  /** Closes the engine's connections: nothing can be enqueued any more. */
  async close(): Promise<void> {
    await this.#listener?.close()
    await this.#boss.stop({ graceful: false, close: true })
  }
}

/** Has pg-boss use a transaction of ours. */
function engineDb(tx: Tx): Db {
  const executeSql = async (text: string, values: unknown[] = []) => ({
    rows: await tx.rows(foreignSql(text, values)),
  })
  return { executeSql } as Db
}
