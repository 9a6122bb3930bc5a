import { expect } from 'vitest'
import { withClient } from './direct-sql.ts'
import { eventually } from './eventually.ts'

/** The requests that wait for a locked table. */
export type Waiting = {
  count(): Promise<number>
  /** Waits until there are this many. */
  until(least: number): Promise<void>
}

/**
 * Runs `work` while a table is locked, so that requests that read the table wait. Locks and counts on connections of its
 * own: background tasks that wait for the table can use all connections of the server that cross organizations.
 * @param statement counts only statements that contain this text, and so no background tasks
 */
export function whileLocked(
  app: { databaseUrl: string },
  table: string,
  work: (waiting: Waiting) => Promise<void>,
  statement = '',
): Promise<void> {
  return withClient(app, (locker) =>
    withClient(app, async (counter) => {
      const count = async () => {
        const { rows } = await counter.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_locks l join pg_stat_activity a using (pid)
          where l.relation = '${table}'::regclass and not l.granted
            and a.datname = current_database() and a.usename like '%app' and strpos(a.query, $1) > 0`,
          [statement],
        )
        return rows[0]!.waiting
      }
      const until = (least: number) =>
        eventually(async () => expect(await count()).toBeGreaterThanOrEqual(least))
      await locker.query(`begin; lock table ${table} in access exclusive mode`)
      await work({ count, until })
      await locker.query('commit')
    }),
  )
}
