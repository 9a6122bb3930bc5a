import { askOwner } from './database.ts'

/**
 * Has the connections of an app's database that a condition on pg_stat_activity picks stand still, as they do whose other
 * end is gone without a word; how they go on.
 */
export async function freezeConnections(databaseUrl: string, condition: string): Promise<() => void> {
  const text = `select pid from pg_stat_activity where datname = current_database() and ${condition}`
  const rows = await askOwner<{ pid: number }>(databaseUrl, text)
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const { pid } of rows) process.kill(pid, 'SIGCONT')
  }
}
