import { runAsOwner } from '../support/database.ts'

/** The memory of a server in bytes, and its open sockets. */
export type ServerResources = { rss: number; sockets: number }

export async function resourcesOf(address: string): Promise<ServerResources> {
  const text = await (await fetch(`${address}/metrics`, { headers: { connection: 'close' } })).text()
  const sum = (pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0)
  return {
    rss: sum(/^process_resident_memory_bytes (\S+)$/gm),
    sockets: sum(/^nodejs_active_resources\{type="TCPSocketWrap"\} (\S+)$/gm),
  }
}

/** Open transactions and locks in the database. After all requests there must be none. */
export async function leftInDatabase(databaseUrl: string): Promise<string[]> {
  const rows = await runAsOwner<{ what: string }>(
    databaseUrl,
    `select 'a transaction: ' || left(query, 80) as what from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and (state like 'idle in transaction%' or state = 'active') and backend_type = 'client backend'
     union all
     select 'a lock: ' || l.locktype || ' ' || l.mode from pg_locks l join pg_stat_activity a using (pid)
     where a.datname = current_database() and a.pid <> pg_backend_pid() and a.backend_type = 'client backend'
       and l.locktype <> 'virtualxid'`,
  )
  return rows.map(({ what }) => what)
}
