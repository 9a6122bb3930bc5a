import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Bench } from '../support/installation.ts'
import { measureCpu } from '../support/usage.ts'

const lot = 500

/**
 * For comparison: PostgreSQL copies the rows that Crosswalk stored from files into a plain table, without index,
 * partition or row-level security. One connection, and a commit for each 500 rows.
 */
export class BareCopy {
  readonly #owner: Client
  readonly #bench: Bench

  private constructor(owner: Client, bench: Bench) {
    this.#owner = owner
    this.#bench = bench
  }

  static async open(bench: Bench): Promise<BareCopy> {
    const owner = new Client({ connectionString: bench.url })
    await owner.connect()
    await owner.query('create table bare_event (like web_event)')
    const folder = join(bench.folder, 'bare-copy')
    mkdirSync(folder)
    chmodSync(folder, 0o777)
    return new BareCopy(owner, bench)
  }

  /** Copies the newest `events` rows. Returns the rate, and the backend's CPU time in microseconds per event. */
  async round(events: number): Promise<{ events: number; postgres: number }> {
    const folder = join(this.#bench.folder, 'bare-copy')
    await this.#owner.query(`create temp table picked as
      select *, row_number() over () as place from (select * from web_event order by received_at desc limit ${events}) e`)
    const columns = await this.#columns()
    const lots = Math.floor(events / lot)
    for (let index = 0; index < lots; index++)
      await this.#owner.query(`copy (select ${columns} from picked where place > ${index * lot} and place <= ${(index + 1) * lot})
        to '${join(folder, `${index}`)}'`)
    await this.#owner.query('drop table picked')
    await this.#owner.query('truncate bare_event')
    await this.#owner.query('checkpoint')
    const cpu = measureCpu(process.pid, this.#bench.folder, 'owner')
    const startedAt = performance.now()
    for (let index = 0; index < lots; index++)
      await this.#owner.query(`copy bare_event (${columns}) from '${join(folder, `${index}`)}'`)
    const seconds = (performance.now() - startedAt) / 1000
    const { postgres } = cpu(lots * lot)
    return { events: (lots * lot) / seconds, postgres }
  }

  async #columns(): Promise<string> {
    const { rows } = await this.#owner.query<{ names: string }>(`
      select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
      where attrelid = 'bare_event'::regclass and attnum > 0 and not attisdropped`)
    return rows[0]!.names
  }

  async close(): Promise<void> {
    await this.#owner.end()
    rmSync(join(this.#bench.folder, 'bare-copy'), { recursive: true, force: true })
  }
}
