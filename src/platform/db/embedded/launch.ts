import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { placeBinaries } from './binaries.ts'
import type { DatabaseFolder } from './database-folder.ts'
import { explainLogLine } from './faults.ts'
import { lastErrorLine } from './initdb.ts'
import type { EmbeddedLog } from './log.ts'
import { lengthOfLog } from './loss.ts'
import { invalidatePidFile, readPidFile } from './pid-file.ts'
import { configuration, serverOptions } from './settings.ts'
import { ensurePrivateFolder, socketIn } from './socket-dir.ts'
import { startTiedProcess, type TiedProcess } from './tied-process.ts'

/** Another PostgreSQL uses this cluster: a newly started server, or the remaining backends of a killed server. */
export class ClusterBusy extends Error {
  override name = 'ClusterBusy'
}

/** Starts PostgreSQL on a cluster without a server, and returns when it accepts connections. */
export async function launch(
  home: DatabaseFolder,
  socketDir: string,
  log: EmbeddedLog,
): Promise<TiedProcess> {
  for (let attempt = 1; ; attempt++) {
    const logged = rotateLog(home)
    const postgres = await startPostgres(home, socketDir)
    if (await becomesReady(home, postgres, log)) return postgres
    const status = await postgres.exited
    if (status > 0 && status < 128) throw startFailure(home, logged)
    // A signal ended PostgreSQL during its start. Give up after three times: PostgreSQL probably crashes.
    if (attempt === 3) throw explainLogLine(`it was ended by signal ${status - 128}`, home.dir, home.logFile)
  }
}

async function startPostgres(home: DatabaseFolder, socketDir: string): Promise<TiedProcess> {
  const binaries = placeBinaries(home.dir, home.package)
  ensurePrivateFolder(socketDir, home.user)
  await invalidatePidFile(join(home.cluster, 'postmaster.pid'), home.cluster)
  await invalidatePidFile(`${socketIn(socketDir)}.lock`, home.cluster)
  writeConfiguration(join(home.dir, 'crosswalk.conf'))
  const output = fs.openSync(home.logFile, 'a', 0o600)
  const command = [join(binaries, 'bin/postgres'), '-D', home.cluster, ...serverOptions(socketDir)]
  const postgres = await startTiedProcess(command, home.user, output)
  fs.closeSync(output)
  return postgres
}

async function becomesReady(home: DatabaseFolder, postgres: TiedProcess, log: EmbeddedLog): Promise<boolean> {
  const started = Date.now()
  let isLogged = false
  while (!postgres.hasExited()) {
    if (isReady(home.cluster, postgres.pid)) return true
    if (!isLogged && Date.now() - started > 2_000) {
      isLogged = true
      log.info(
        { dir: home.dir },
        'PostgreSQL is still starting: after an unclean end, it recovers first, which can take a while',
      )
    }
    await Promise.race([delay(5), postgres.exited])
  }
  return false
}

function isReady(cluster: string, pid: number): boolean {
  const file = readPidFile(cluster)
  return file?.pid === pid && file.status === 'ready'
}

function writeConfiguration(path: string): void {
  if (fs.existsSync(path) && fs.readFileSync(path, 'utf8') === configuration) return
  fs.writeFileSync(path, configuration)
  fs.chmodSync(path, 0o644) // the file has no secret, and the server's user must read it
}

/** Moves PostgreSQL's log aside if it is above 10 MB. Returns the length of the log in bytes. */
function rotateLog(home: DatabaseFolder): number {
  const length = lengthOfLog(home)
  if (length < 10_000_000) return length
  fs.renameSync(home.logFile, `${home.logFile}.old`)
  return 0
}

function startFailure({ dir, logFile }: DatabaseFolder, from: number): Error {
  const line = lastErrorLine(fs.readFileSync(logFile).subarray(from).toString('utf8'))
  const busy =
    /^lock file ".*" (already exists|is empty)|lock file ".*": No such file|^pre-existing shared memory/.test(
      line,
    )
  return busy ? new ClusterBusy(line) : explainLogLine(line, dir, logFile)
}
