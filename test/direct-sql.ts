import { Client } from 'pg'
import type { TestApp, TestOrg } from './app.ts'

/** A connection of its own as the migrating role, for what no request can do; ends when `work` does. */
export function withClient<Result>(app: TestApp, work: (client: Client) => Promise<Result>): Promise<Result> {
  return withClientOf(app.databaseUrl, work)
}

/** The same for the database of a URL. */
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

/** Returns once `count` connections of the app wait for a lock. */
export async function untilBlocked(client: Client, count = 1): Promise<void> {
  for (;;) {
    // A transaction would otherwise see again what it saw first.
    await client.query('select pg_stat_clear_snapshot()')
    const { rows } = await client.query(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows[0].waiting >= count) return
  }
}

/** Every row of every table, as text: what a thief of the database would read. */
export function dumpTables(app: TestApp): Promise<string> {
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

/** Makes `loser` a record that `survivor` has absorbed. */
export async function mergeInto(
  app: TestApp,
  org: TestOrg,
  entity: 'contact' | 'company' | 'deal',
  loser: string,
  survivor: string,
): Promise<void> {
  await app.operate(async (tx) => {
    const id = `${entity}_id`
    const values = [org.orgId, loser]
    await tx.run({
      text: `update ${entity} set status = 'merged', merged_into_id = $3 where org_id = $1 and ${id} = $2`,
      values: [...values, survivor],
    })
    await tx.run({
      text: `update ${entity} set merged_into_id = $3 where org_id = $1 and merged_into_id = $2`,
      values: [...values, survivor],
    })
    await tx.run({ text: `delete from ${entity}_key where org_id = $1 and ${id} = $2`, values })
    for (const [table, column] of canonical[entity]) {
      await tx.run({
        text: `update ${table} set ${column} = $3 where org_id = $1 and ${column} = $2`,
        values: [...values, survivor],
      })
    }
  })
}

/** Where a record is named as the one that stands for others. */
const canonical = {
  contact: [['deal_contact', 'contact_id']],
  company: [
    ['contact', 'company_id'],
    ['deal', 'company_id'],
  ],
  deal: [['deal_contact', 'deal_id']],
} as const
