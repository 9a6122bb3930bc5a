// Runs npm for one process at a time. Needs no package and no TypeScript: nothing may be installed yet.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const lockOf = (folder) => join(folder, '.install-lock')

export const log = (message) => process.stderr.write(`crosswalk: ${message}\n`)

/**
 * Installs the packages of a folder's package-lock.json. The caller must have the folder's lock. No package needs an
 * install script.
 */
export async function npmCi(folder, ...options) {
  const script = process.env.npm_execpath ?? ''
  const isNpm = /npm-cli\.c?js$/.test(script) && fs.existsSync(script) // pnpm and yarn have no npm-cli.js
  const [command, ...args] = isNpm ? [process.execPath, script, 'ci'] : ['npm', 'ci']
  // Override the user's npm settings that would break the install.
  args.push(...options, '--include=optional', '--include=peer', '--install-strategy=hoisted', '--bin-links')
  args.push('--engine-strict=false', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error')
  const npm = spawnChild(command, args, { cwd: folder, stdio: ['inherit', 2, 2] })
  if (npm.pid) fs.mkdirSync(join(lockOf(folder), `${npm.pid}`)) // npm gets the lock too, because it may outlive this process
  const [code, signal] = await once(npm, 'exit').catch(() => {
    throw new Error('npm was not found: install Node.js together with npm')
  })
  if (code === 0) return
  process.exitCode = code ?? 1
  throw new Error(`npm ci failed (${signal ?? `exit code ${code}`}), see its messages above`)
}

/**
 * Starts a program that ends with this process, even at a signal. After a SIGKILL of this process, the program
 * continues.
 */
export function spawnChild(command, args, options) {
  const child = spawn(command, args, options)
  const end = () => child.kill()
  // Run before the other listeners, which delete the program's files.
  process.prependListener('exit', end)
  child.once('close', () => process.off('exit', end))
  exitOnSignals()
  return child
}

let hears = false

function exitOnSignals() {
  if (hears) return
  hears = true
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
}

/**
 * Waits until no other process installs in a folder. The lock is a folder that contains a folder for each owner. A
 * process makes it under another name and renames it. This succeeds only if there is no lock, or an empty one.
 */
export async function takeLock(folder) {
  const lock = lockOf(folder)
  const mine = `${lock}-${process.pid}`
  process.on('exit', () => [mine, lock].forEach(releaseDead))
  exitOnSignals()
  fs.mkdirSync(join(mine, `${process.pid}`), { recursive: true })
  for (let isLogged = false; ; await delay(100)) {
    try {
      return fs.renameSync(mine, lock)
    } catch (error) {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    }
    const owner = releaseDead(lock)
    if (owner && !isLogged) log(`waiting for another installation (process ${owner}) …`)
    isLogged ||= Boolean(owner)
  }
}

/** Removes this process and dead processes from the lock. Returns a living owner; otherwise deletes the lock. */
function releaseDead(dir) {
  try {
    const owners = fs.readdirSync(dir)
    const living = owners.filter((pid) => Number(pid) !== process.pid && isAlive(pid))
    for (const pid of owners) if (!living.includes(pid)) fs.rmdirSync(join(dir, pid))
    if (living.length === 0) fs.rmdirSync(dir)
    return living[0]
  } catch {
    return undefined // it is gone, or another process has just taken it
  }
}

function isAlive(pid) {
  try {
    return process.kill(Number(pid), 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
