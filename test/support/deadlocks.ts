import { runAsOwner } from './database.ts'

/**
 * Counts the deadlocks in the app's database. A connection reports its statistics at most once a second. A deadlock takes
 * a second, so it is counted as soon as its transaction ends.
 */
export async function countDeadlocks(app: { databaseUrl: string }): Promise<number> {
  const [row] = await runAsOwner<{ deadlocks: number }>(
    app.databaseUrl,
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  return row!.deadlocks
}
