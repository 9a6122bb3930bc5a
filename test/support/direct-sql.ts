import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'

type OnDatabase = { databaseUrl: string }

/** Connects as the migrating role until `work` ends, to make changes that no request can make. */
export function withClient<Result>(
  app: OnDatabase,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  return withClientOf(app.databaseUrl, work)
}

export async function withClientOf<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function untilBlocked(client: Client, count = 1): Promise<void> {
  while (!(await areBlocked(client, count))) await delay(5)
}

/** Whether so many connections wait for a lock. */
export async function areBlocked(client: Client, count: number): Promise<boolean> {
  // Use no transaction: it would always see the same snapshot.
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query(
    `select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].waiting >= count
}

/** Every row of the database as text, as a thief of the database would see it. */
export function dumpTables(app: OnDatabase): Promise<string> {
  return withClient(app, async (client) => {
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const lines: string[] = []
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ line: string }>(`select t::text as line from ${name} t`)
      lines.push(...rows.map(({ line }) => `${name} ${line}`))
    }
    return lines.join('\n')
  })
}
