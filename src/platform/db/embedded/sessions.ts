import { Client } from 'pg'
import type { DatabaseFolder } from './database-folder.ts'
import { EmbeddedPostgresFault } from './faults.ts'
import { socketPort } from './socket-dir.ts'

/**
 * A session that shows other processes that this process runs. It uses the database `postgres`, so that `crosswalk` can
 * be copied or dropped.
 */
export type ServerUse = {
  /** After `own`: whether this process is the owner. After `join`: false if the owner is about to shut down. */
  granted: boolean
  ended: Promise<void>
  /** Returns true if there is no guest. After that, no guest can join. */
  closeToGuests(): Promise<boolean>
  /** The name that the owner gave itself; undefined without an owner. */
  owner(): Promise<string | undefined>
  end(): Promise<void>
}

// An advisory lock has two numbers. The first one is "crow" in ASCII.
const ownerLock = '1668443895, 1'
const userLock = '1668443895, 2'
const lockRequests = {
  own: `pg_try_advisory_lock(${ownerLock})`,
  join: `pg_try_advisory_lock_shared(${userLock})`,
  close: `pg_try_advisory_lock(${userLock})`,
}

/** Opens a session. Returns undefined if PostgreSQL accepts none, because it is starting, stopping or has ended. */
export async function openServerUse(
  home: DatabaseFolder,
  socketDir: string,
  name: string,
  request: 'own' | 'join',
): Promise<ServerUse | undefined> {
  const client = new Client({
    host: socketDir,
    port: socketPort,
    user: 'crosswalk',
    password: home.password,
    database: 'postgres',
    ssl: false,
    application_name: name,
    connectionTimeoutMillis: 10_000,
  })
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  client.on('error', () => {}) // `ended` reports it
  const ask = async (lock: string) =>
    (await client.query<{ granted: boolean }>(`select ${lock} as granted`)).rows[0]?.granted === true
  try {
    await client.connect()
    return {
      granted: await ask(lockRequests[request]),
      ended,
      closeToGuests: () => ask(lockRequests.close),
      owner: () => ownerName(client).catch(() => undefined),
      end: () => client.end(),
    }
  } catch (error) {
    return explainRefusal(error, home)
  }
}

async function ownerName(client: Client): Promise<string | undefined> {
  return (await client.query<{ name: string }>(ownerQuery)).rows[0]?.name
}

const ownerQuery = `
  select application_name as name from pg_stat_activity join pg_locks using (pid)
  where locktype = 'advisory' and (classid, objid) = (${ownerLock}) and objsubid = 2 and granted`

function explainRefusal(error: unknown, home: DatabaseFolder): undefined {
  const { code = '', message } = error as { code?: string; message: string }
  // A session gets 57014 if the server shuts down while the session is logging in.
  const passing = ['57P03', '57P02', '57P01', '57014', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE']
  const cut = /^(Connection terminated|Client has encountered a connection error|timeout expired)/
  if (passing.includes(code) || cut.test(message)) return undefined
  if (code !== '28P01') throw error
  throw new EmbeddedPostgresFault(
    `The password in ${home.dir}/password is not the database's: restore that file from a backup.`,
  )
}
