import { Client } from 'pg'
import { expect, vi } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { backgroundTables } from '../support/database.ts'
import { patience } from '../support/patience.ts'

type Counter = { client: Client; text: string }
const counters = new Map<string, Promise<Counter>>()

/** A connection that keeps the plan of the statement that counts: to plan it takes longer than to count. */
async function connect(databaseUrl: string): Promise<Counter> {
  const client = new Client({ connectionString: databaseUrl })
  // The connection ends when the app drops its database.
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all($1)`,
    [backgroundTables],
  )
  const counts = rows.map(({ name }) => `(select count(*)::int from ${name}) as ${name}`)
  return { client, text: `select ${counts.join(', ')}` }
}

function counterOf(databaseUrl: string): Promise<Counter> {
  const counter = counters.get(databaseUrl) ?? connect(databaseUrl)
  counters.set(databaseUrl, counter)
  return counter
}

/** The number of rows in each table, after all imports and pushes have ended. */
export async function countEffects({ databaseUrl }: TestApp): Promise<Record<string, number>> {
  const { client, text } = await counterOf(databaseUrl)
  const working = async () => (await client.query({ name: 'working', text: workingText })).rows
  await vi.waitFor(async () => expect(await working()).toEqual([]), patience)
  const { rows } = await client.query<Record<string, number>>({ name: 'counts', text })
  return rows[0]!
}

const workingText = `
  select from import where status in ('queued', 'running', 'reverting')
  union all select from signature_deployment where asked > done
  union all select from crm_job j where status in ('queued', 'running')
    -- The push of the slow person counts as ended when the sandbox has the person.
    and (j.cancel_requested or not exists (
      select from crm_link l join contact c on c.org_id = l.org_id and c.contact_id = l.contact_id
      where l.org_id = j.org_id and l.connection_id = j.connection_id and c.email like '%+slow@%'
    ))`

/** How many rows each table has gained since `before`. */
export async function effectsSince(
  app: TestApp,
  before: Record<string, number>,
): Promise<Record<string, number>> {
  const after = await countEffects(app)
  const differences = Object.keys(after).map((table): [string, number] => [
    table,
    after[table]! - before[table]!,
  ])
  return Object.fromEntries(differences.filter(([, difference]) => difference !== 0))
}
