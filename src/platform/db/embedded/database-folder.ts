import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolder, temporaryName } from '../../files.ts'
import { findPackage, type Package, placeBinaries } from './binaries.ts'
import { EmbeddedPostgresFault } from './faults.ts'
import { chownToNewUser, makeCluster, restrictToRoot } from './initdb.ts'
import type { EmbeddedLog } from './log.ts'
import { type DatabasePaths, readPathsFile, writePathsFile } from './paths-file.ts'
import { removeLeftovers, renameInto } from './staging.ts'
import { canEnter, isRoot, nobody, type User } from './user.ts'

export type DatabaseFolder = {
  dataDir: string
  dir: string
  cluster: string
  run: string
  logFile: string
  password: string
  /** The user that runs PostgreSQL, if it is not the user of this process. */
  user: User | undefined
  package: Package
}

const rootDataDir = '/var/lib/crosswalk'

/** Returns whether a DATA_DIR has a database, even if the database cannot be opened. */
export function hasDatabaseFolder(dataDir: string): boolean {
  return ['postgres', 'postgres.json'].some((name) => fs.existsSync(join(dataDir, name)))
}

/**
 * Opens the database folder of a DATA_DIR, and creates both if missing. Does not start PostgreSQL.
 */
export async function openDatabaseFolder(dataDir: string, log: EmbeddedLog): Promise<DatabaseFolder> {
  makeFolder(dataDir)
  const real = fs.realpathSync(dataDir)
  const binaries = findPackage()
  const dir = findHome(real, readPathsFile(real)) ?? (await makeHome(real, binaries, log))
  const cluster = join(dir, 'cluster')
  checkVersion(cluster, binaries)
  return {
    dataDir: real,
    dir,
    cluster,
    run: join(dir, 'run'),
    logFile: join(dir, 'postgres.log'),
    password: fs.readFileSync(join(dir, 'password'), 'utf8').trim(),
    user: ownerOfCluster(cluster),
    package: binaries,
  }
}

function findHome(dataDir: string, pointer: DatabasePaths): string | undefined {
  const dir = resolve(dataDir, pointer.home ?? 'postgres')
  if (isCluster(join(dir, 'cluster'))) return fs.realpathSync(dir)
  if (pointer.home && resolve(pointer.home) === pointer.home) {
    throw new EmbeddedPostgresFault(
      `The database of ${dataDir} should be in ${dir}, but is missing: restore that folder, or delete ${dataDir}/postgres.json to begin with an empty one.`,
    )
  }
  if (fs.existsSync(dir) && fs.readdirSync(dir).length > 0) {
    throw new EmbeddedPostgresFault(
      `${dir} contains no database: move it away, and the next start creates an empty database there.`,
    )
  }
  return undefined
}

async function makeHome(dataDir: string, binaries: Package, log: EmbeddedLog): Promise<string> {
  const inside = !isRoot() || canEnter(dataDir, nobody())
  const dir = join(
    inside ? dataDir : placeForRoot(dataDir),
    inside ? 'postgres' : randomBytes(6).toString('hex'),
  )
  removeLeftovers(dirname(dir), inside ? 'postgres.' : '')
  const draft = temporaryName(dir)
  try {
    makeFolder(draft)
    const password = randomBytes(24).toString('hex')
    fs.writeFileSync(join(draft, 'password'), `${password}\n`, { mode: 0o600, flush: true })
    await makeCluster(join(draft, 'cluster'), placeBinaries(draft, binaries), password)
    const ours = renameInto(draft, dir)
    if (ours) log.info({ dir }, 'created a new, empty database')
    return inside || writePathsFile(dataDir, { home: dir }, 'new') ? dir : useOtherHome(dataDir, dir)
  } finally {
    fs.rmSync(draft, { recursive: true, force: true })
  }
}

/** Returns the folder of the database if only root can enter DATA_DIR. PostgreSQL refuses to run as root. */
function placeForRoot(dataDir: string): string {
  if (!canEnter('/', nobody())) {
    throw new EmbeddedPostgresFault(
      'PostgreSQL refuses to run as root, and this container has no other user: run Crosswalk as an ordinary user, or set DATABASE_URL.',
    )
  }
  try {
    makeFolder(rootDataDir)
    fs.accessSync(rootDataDir, fs.constants.W_OK)
    return rootDataDir
  } catch (cause) {
    throw new EmbeddedPostgresFault(
      `PostgreSQL refuses to run as root, and other users may enter neither ${dataDir} nor a folder below /var/lib: chmod o+x DATA_DIR and the folders above it, or set DATABASE_URL.`,
      { cause },
    )
  }
}

/**
 * Uses the database that another process created at the same time, and deletes the one of this
 * process.
 */
function useOtherHome(dataDir: string, dir: string): string {
  fs.rmSync(dir, { recursive: true })
  return readPathsFile(dataDir).home!
}

function isCluster(cluster: string): boolean {
  try {
    fs.accessSync(join(cluster, 'PG_VERSION'), fs.constants.R_OK)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    if (code !== 'EACCES') throw error
    const { uid } = fs.statSync(cluster)
    throw new EmbeddedPostgresFault(
      `The database in ${cluster} belongs to another user (uid ${uid}): run Crosswalk as the user who made it, or set DATA_DIR to another folder.`,
    )
  }
}

function checkVersion(cluster: string, { major }: Package): void {
  const made = fs.readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (made === major) return
  throw new EmbeddedPostgresFault(
    `The database in ${cluster} was made by PostgreSQL ${made}, and this Crosswalk has PostgreSQL ${major}: start the Crosswalk that made it, and move the data to your own PostgreSQL (docs/operating/back-up.md).`,
  )
}

/** Returns the owner of the cluster, who must run the server. Repairs the owner and the modes after a restore as root. */
function ownerOfCluster(cluster: string): User | undefined {
  if (isRoot() && fs.statSync(cluster).uid === 0) {
    restrictToRoot(cluster)
    chownToNewUser(cluster)
  }
  const { uid, gid, mode } = fs.statSync(cluster)
  if ((mode & 0o027) !== 0) fs.chmodSync(cluster, 0o700)
  return isRoot() ? { uid: uid | 0, gid: gid | 0 } : undefined
}
