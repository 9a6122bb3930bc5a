import * as fs from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { removeOldBinaries } from './binaries.ts'
import type { DatabaseFolder } from './database-folder.ts'
import { ClusterBusy, launch } from './launch.ts'
import type { EmbeddedLog } from './log.ts'
import { findRunning, readPidFile, stopPostmaster } from './pid-file.ts'
import { openServerUse, type ServerUse } from './sessions.ts'
import { releaseSocketDir, socketIn } from './socket-dir.ts'
import type { TiedProcess } from './tied-process.ts'

/** The PostgreSQL of this process, restarted whenever PostgreSQL dies, until `stop`. */
export class Server {
  readonly #home: DatabaseFolder
  readonly #socketDir: string
  readonly #name: string
  readonly #log: EmbeddedLog
  #postgres: TiedProcess
  #session: ServerUse
  #hurry = false
  #ending = false
  #stopped: Promise<void> | undefined
  #lostSeconds = 0
  readonly #watch: NodeJS.Timeout
  readonly #supervised: Promise<void>
  readonly #owned: Promise<void>

  /** Starts PostgreSQL and becomes its owner. Returns undefined if another process was faster. */
  static async start(
    home: DatabaseFolder,
    socketDir: string,
    name: string,
    log: EmbeddedLog,
  ): Promise<Server | undefined> {
    const postgres = await launch(home, socketDir, log).catch((error) => {
      if (error instanceof ClusterBusy) return undefined
      throw error
    })
    if (!postgres) return undefined
    try {
      const session = await becomeOwner(home, socketDir, name, postgres)
      if (session) return new Server(home, socketDir, name, log, postgres, session)
    } catch (error) {
      postgres.shutDown('fast')
      throw error
    }
    postgres.shutDown('fast')
    await postgres.exited
    return undefined
  }

  private constructor(
    home: DatabaseFolder,
    socketDir: string,
    name: string,
    log: EmbeddedLog,
    postgres: TiedProcess,
    session: ServerUse,
  ) {
    this.#home = home
    this.#socketDir = socketDir
    this.#name = name
    this.#log = log
    this.#postgres = postgres
    this.#session = session
    this.#watch = setInterval(() => this.#rescue(), 1_000).unref()
    this.#supervised = this.#supervise()
    this.#owned = this.#keepOwning()
  }

  /** Shuts PostgreSQL down. `smart` first waits for guests. A `fast` during a `smart` ends the wait. */
  stop(mode: 'fast' | 'smart'): Promise<void> {
    this.#hurry ||= mode === 'fast'
    if (this.#ending && this.#hurry) this.#postgres.shutDown('fast')
    this.#stopped ??= this.#shutDown()
    return this.#stopped
  }

  async #shutDown(): Promise<void> {
    let isLogged = false
    while (!this.#hurry && !(await this.#session.closeToGuests().catch(() => true))) {
      if (!isLogged) this.#log.info({}, 'other Crosswalk commands still use this database; waiting for them')
      isLogged = true
      await delay(50)
    }
    this.#ending = true
    clearInterval(this.#watch)
    await this.#session.end()
    await this.#owned
    this.#postgres.shutDown(this.#hurry ? 'fast' : 'smart')
    await this.#supervised
    releaseSocketDir(this.#socketDir, this.#home.run)
  }

  async #supervise(): Promise<void> {
    let waitMs = 0
    for (;;) {
      const launched = Date.now()
      const status = await this.#postgres.exited
      if (this.#ending) return
      this.#log.error({ status }, 'PostgreSQL ended unexpectedly; starting it again')
      waitMs = Date.now() - launched > 10_000 ? 0 : Math.min(waitMs * 2 + 10, 1_000)
      await delay(waitMs)
      await this.#relaunch()
      if (this.#ending) this.#postgres.shutDown('fast')
    }
  }

  async #relaunch(): Promise<void> {
    const dead = this.#postgres.pid
    for (let waitMs = 25; !this.#ending; waitMs = Math.min(waitMs * 2, 1_000)) {
      try {
        const left = await findRunning(this.#home.cluster, this.#home.run)
        if (left?.pid === dead) await stopPostmaster(dead, this.#home.cluster, this.#log)
        this.#postgres = await launch(this.#home, this.#socketDir, this.#log)
        return this.#log.info({}, 'PostgreSQL runs again')
      } catch (error) {
        // Log only the first failure: a surviving backend can block the start for a long time.
        const reason = (error as Error).message
        if (waitMs === 25) this.#log.warn({ reason }, 'PostgreSQL has not started yet; retrying')
        await delay(waitMs)
      }
    }
  }

  /**
   * Restarts a PostgreSQL that cannot be reached for 10 s. Possible causes: its socket was deleted, or it got a SIGTERM
   * and waits for the session of this process to end. The 10 s let a service manager signal this process too.
   */
  #rescue(): void {
    const file = readPidFile(this.#home.cluster)
    const lost =
      file?.pid === this.#postgres.pid &&
      (file.status === 'stopping' || !fs.existsSync(socketIn(this.#socketDir)))
    this.#lostSeconds = lost ? this.#lostSeconds + 1 : 0
    if (this.#lostSeconds === 10) this.#postgres.shutDown('fast')
  }

  async #keepOwning(): Promise<void> {
    let isLogged = false
    for (;;) {
      await this.#session.ended
      while (!this.#ending) {
        const session = await openServerUse(this.#home, this.#socketDir, this.#name, 'own').catch(
          () => undefined,
        )
        if (session?.granted) {
          this.#session = session
          break
        }
        await session?.end()
        if (session && !isLogged) this.#log.error({}, 'another Crosswalk took this data folder over')
        isLogged = !!session
        await delay(50)
      }
      if (this.#ending) return this.#session.end()
    }
  }
}

async function becomeOwner(
  home: DatabaseFolder,
  socketDir: string,
  name: string,
  postgres: TiedProcess,
): Promise<ServerUse | undefined> {
  while (!postgres.hasExited()) {
    const session = await openServerUse(home, socketDir, name, 'own')
    if (session?.granted) {
      removeOldBinaries(home.dir, home.package)
      return session
    }
    await session?.end()
    if (session || !fs.existsSync(socketIn(socketDir))) return undefined
    await delay(10)
  }
  return undefined
}
