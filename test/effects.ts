import { expect } from 'vitest'
import type { TestApp, TestOrg } from './app.ts'
import { askOwner, restlessTables } from './database.ts'

/** How many rows each table has, once no import works in the background any more. */
export async function countEffects(app: TestApp): Promise<Record<string, number>> {
  const working = () =>
    askOwner(app.databaseUrl, `select from import where status in ('queued', 'running', 'reverting')`)
  await expect.poll(working, { timeout: 20_000, interval: 10 }).toEqual([])
  const tables = await askOwner<{ name: string }>(
    app.databaseUrl,
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all($1)`,
    [restlessTables],
  )
  const counts = tables.map(({ name }) => `(select count(*)::int from ${name}) as ${name}`)
  const [row] = await askOwner<Record<string, number>>(app.databaseUrl, `select ${counts.join(', ')}`)
  return row!
}

/** How many rows of each table are new since `before`; only tables that have any. */
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

/** An agency of its own, which any endpoint answers. */
export const newAgency = (app: TestApp): Promise<TestOrg> =>
  app.newOrg({ isAgency: true, key: { isAgency: true } })
