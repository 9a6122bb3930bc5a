import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type DatabaseFolder, openDatabaseFolder } from './database-folder.ts'
import { explainFileError } from './faults.ts'
import type { EmbeddedLog } from './log.ts'
import { explainLoss, lengthOfLog } from './loss.ts'
import { readPathsFile, writePathsFile } from './paths-file.ts'
import { findRunning, type RunningPostgres, stopPostmaster } from './pid-file.ts'
import { Server } from './server.ts'
import { openServerUse, type ServerUse } from './sessions.ts'
import { prepareSocketDir, releaseSocketDir, socketPort } from './socket-dir.ts'
import { WaitingHint } from './waiting-hint.ts'

export type EmbeddedPostgres = {
  folder: string
  /**
   * The URL for libpq and `pg` of the superuser and database `crosswalk`, including the password.
   */
  url: string
  adopted: boolean
  /** Turns a failure of PostgreSQL into a fault that gives the reason. Other errors stay unchanged. */
  explain(error: unknown): unknown
  /** `fast` ends all sessions. `smart` first waits for guests. If this process is a guest, only its own session ends. */
  stop(mode: 'fast' | 'smart'): Promise<void>
}

type Opened = Omit<EmbeddedPostgres, 'explain'>

export type EmbeddedOptions = {
  dataDir: string
  log: EmbeddedLog
  /** A `server` owns DATA_DIR. A `guest` uses the running PostgreSQL, or starts one that runs until the last guest leaves. */
  role: 'server' | 'guest'
}

/** The error if another running Crosswalk uses the same DATA_DIR. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse'
}

/**
 * Starts or finds the PostgreSQL of a DATA_DIR. The first start creates the database.
 * @throws DataDirInUse, or EmbeddedPostgresFault whose message tells the operator what to do
 */
export async function startEmbedded({ dataDir, log, role }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    const home = await openDatabaseFolder(resolve(dataDir), log)
    const logged = lengthOfLog(home)
    const postgres = await startOrJoin(home, log, role)
    return { ...postgres, explain: (error) => explainLoss(error, home, logged) }
  } catch (error) {
    throw explainFileError(error, resolve(dataDir))
  }
}

async function startOrJoin(
  home: DatabaseFolder,
  log: EmbeddedLog,
  role: 'server' | 'guest',
): Promise<Opened> {
  const hint = new WaitingHint(log, home.dir)
  try {
    return await keepTrying(home, log, role, hint)
  } finally {
    hint.clear()
  }
}

async function keepTrying(
  home: DatabaseFolder,
  log: EmbeddedLog,
  role: 'server' | 'guest',
  hint: WaitingHint,
): Promise<Opened> {
  const name = `crosswalk ${role === 'server' ? 'server' : 'command'}, process ${process.pid}`
  let stoppingSince: number | null = null
  for (let attempt = 1; ; attempt++) {
    const running = await findRunning(home.cluster, home.run)
    if (running) hint.waitFor(running.pid)
    if (running?.status !== 'stopping') stoppingSince = null
    else stoppingSince ??= Date.now()
    if (running?.pid && stoppingSince && Date.now() - stoppingSince > stoppingMs) {
      log.warn({ pid: running.pid, log: home.logFile }, hungMessage)
      await stopPostmaster(running.pid, home.cluster, log, hungMs)
      continue
    }
    if (running && role === 'guest') {
      const session = await openServerUse(home, running.socketDir, name, 'join')
      if (session?.granted) return joinedPostgres(home, running, session)
      await session?.end()
    } else if (!running || (await removeOrphan(home, running, name, log))) {
      hint.clear()
      const started = await startOwn(home, name, log)
      if (started) return started
    }
    await delay(Math.min(10 * attempt, 100))
  }
}

// An orderly shutdown takes a few seconds. PostgreSQL can hang in one, for example after its disk was full.
const stoppingMs = 20_000
const hungMs = 10_000
const hungMessage = 'an earlier PostgreSQL of this data folder does not finish its shutdown; ending it'

async function startOwn(home: DatabaseFolder, name: string, log: EmbeddedLog): Promise<Opened | undefined> {
  const recorded = readPathsFile(home.dataDir).socketDir
  const socketDir = prepareSocketDir(home.run, recorded && resolve(home.dataDir, recorded), home.user)
  let server: Server | undefined
  try {
    server = await Server.start(home, socketDir, name, log)
  } finally {
    if (!server) releaseSocketDir(socketDir, home.run)
  }
  if (!server) return undefined
  writePathsFile(home.dataDir, { home: home.dir, socketDir }, 'replace')
  return { folder: home.dir, url: url(home, socketDir), adopted: false, stop: (mode) => server.stop(mode) }
}

function joinedPostgres(home: DatabaseFolder, running: RunningPostgres, session: ServerUse): Opened {
  return { folder: home.dir, url: url(home, running.socketDir), adopted: true, stop: () => session.end() }
}

/**
 * Ends a PostgreSQL that was left behind by a killed Crosswalk process. Returns false if that PostgreSQL is starting
 * or stopping.
 */
async function removeOrphan(
  home: DatabaseFolder,
  running: RunningPostgres,
  name: string,
  log: EmbeddedLog,
): Promise<boolean> {
  const session = await openServerUse(home, running.socketDir, name, 'own')
  if (session?.granted && running.pid) {
    log.warn({ pid: running.pid }, orphanMessage)
    await stopPostmaster(running.pid, home.cluster, log)
    await session.end()
    return true
  }
  const owner = session?.granted ? 'by a PostgreSQL of another container' : await session?.owner()
  await session?.end()
  if (!owner) return false
  throw new DataDirInUse(
    `The data folder ${home.dataDir} is already in use (${owner}): stop that process first, or set DATA_DIR to another folder.`,
  )
}

const orphanMessage = 'a Crosswalk that was killed left its PostgreSQL running; shutting that down'

function url({ password }: DatabaseFolder, socketDir: string): string {
  const host = encodeURIComponent(socketDir).replaceAll('%2F', '/')
  return `postgres://crosswalk:${password}@localhost:${socketPort}/crosswalk?host=${host}&sslmode=disable`
}
