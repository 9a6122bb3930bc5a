import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { placeBinaries } from './binaries.ts'
import { explainLine } from './faults.ts'
import type { Home } from './home.ts'
import { lastComplaint } from './initdb.ts'
import type { Log } from './log.ts'
import { disarmStalePidFile, readPidFile } from './pid-file.ts'
import { configuration, serverOptions } from './settings.ts'
import { makePrivate } from './socket-dir.ts'
import { startTied, type TiedProcess } from './tied-process.ts'

/** Another PostgreSQL has this cluster: one that somebody just started, or what is left of a killed one. */
export class ClusterBusy extends Error {
  override name = 'ClusterBusy'
}

/** Starts PostgreSQL on a cluster that nobody serves, and returns once it takes connections. */
export async function launch(home: Home, socketDir: string, log: Log): Promise<TiedProcess> {
  const binaries = placeBinaries(home.dir, home.package)
  await disarmStalePidFile(home.cluster)
  makePrivate(socketDir, home.user)
  writeConfiguration(join(home.dir, 'crosswalk.conf'))
  const output = openLog(home.logFile)
  const command = [join(binaries, 'bin/postgres'), '-D', home.cluster, ...serverOptions(socketDir)]
  const postgres = await startTied(command, home.user, output.fd)
  fs.closeSync(output.fd)
  const started = Date.now()
  let told = false
  while (!isReady(home.cluster, postgres.pid)) {
    if (postgres.hasExited()) throw failure(home, output.size)
    if (!told && Date.now() - started > 2_000) {
      told = true
      log.info({ dir: home.dir }, 'PostgreSQL is recovering from an unclean end; this can take a while')
    }
    await Promise.race([delay(5), postgres.exited])
  }
  return postgres
}

function isReady(cluster: string, pid: number): boolean {
  const file = readPidFile(cluster)
  return file?.pid === pid && file.status === 'ready'
}

function writeConfiguration(path: string): void {
  if (fs.existsSync(path) && fs.readFileSync(path, 'utf8') === configuration) return
  fs.writeFileSync(path, configuration)
  fs.chmodSync(path, 0o644) // no secret, and the server's user has to read it
}

/** Opens PostgreSQL's log, and begins a new one when it has grown large. `size` is where our part begins. */
function openLog(path: string): { fd: number; size: number } {
  const large = (fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 10_000_000
  if (large) fs.renameSync(path, `${path}.old`)
  const fd = fs.openSync(path, 'a', 0o600)
  return { fd, size: fs.fstatSync(fd).size }
}

function failure({ dir, logFile }: Home, from: number): Error {
  const line = lastComplaint(fs.readFileSync(logFile).subarray(from).toString('utf8'))
  const busy = /^lock file ".*" (already exists|is empty)|^pre-existing shared memory block/.test(line)
  return busy ? new ClusterBusy(line) : explainLine(line, dir, logFile)
}
