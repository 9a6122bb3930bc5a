// Installs the packages of package-lock.json that node_modules lacks, including Node itself. It runs before everything
// else, with the Node that the machine has (20 or later). So it needs no package and no TypeScript.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const node = 'node_modules/.bin/node'
const lock = join(root, '.install-lock')
const exists = (path) => fs.existsSync(join(root, path))
const say = (message) => process.stderr.write(`crosswalk: ${message}\n`)

/**
 * Returns the packages (`node_modules/…`) that are needed on this machine and not installed in the right version.
 * `wanted` and `installed` are the `packages` of package-lock.json and of npm's node_modules/.package-lock.json.
 * `machine` is { os, cpu, libc }. `exists` returns whether a path exists.
 */
export function findMissing({ wanted, installed, machine, production, exists }) {
  const isWanted = ([path, { dev, optional, devOptional, os, cpu, libc }]) => {
    if (!path.includes('node_modules/') || (production && dev)) return false
    if (!optional && !devOptional) return true
    // A package that names no machine may be a dependency of a package for another machine. npm installs
    // neither.
    if (!os && !cpu && !libc) return path in installed
    return allows(os, machine.os) && allows(cpu, machine.cpu) && allows(libc, machine.libc)
  }
  const isMissing = ([path, { version }]) => installed[path]?.version !== version || !exists(path)
  return Object.entries(wanted)
    .filter((entry) => isWanted(entry) && isMissing(entry))
    .map(([path]) => path)
}

/** True unless a list such as "linux" or ["linux", "!arm"] excludes `value`. */
function allows(list, value) {
  const rules = [list ?? []].flat()
  const positive = rules.filter((rule) => !rule.startsWith('!'))
  return !rules.includes(`!${value}`) && (positive.length === 0 || positive.includes(value))
}

async function install(production) {
  if (look(production).missing.length === 0 && exists(node)) return
  await takeLock()
  const { missing, hasDev } = look(production) // another process may have installed them during the wait
  if (missing.length > 0) {
    say(`installing packages (${missing.length} missing or outdated) …`)
    await npmCi(production && !hasDev ? '--omit=dev' : '--include=dev')
  }
  if (!exists(node)) linkNode()
  const { stdout } = spawnSync(join(root, node), ['--version'], { encoding: 'utf8' })
  if (Number(/^v(\d+)\./.exec(stdout ?? '')?.[1]) >= 26) return
  throw new Error(`there is no Node 26 among them that runs on ${process.platform} ${process.arch}`)
}

function look(production) {
  const wanted = packagesOf('package-lock.json')
  const installed = packagesOf('node_modules/.package-lock.json')
  const machine = { os: process.platform, cpu: process.arch, libc: libcName() }
  const missing = findMissing({ wanted, installed, machine, production, exists })
  // `npm ci` first empties node_modules. So development packages must be installed again, even for `npm start`.
  const isDev = ([path, { dev }]) => dev && exists(path)
  return { missing, hasDev: [wanted, installed].some((all) => Object.entries(all).some(isDev)) }
}

function packagesOf(path) {
  try {
    return JSON.parse(fs.readFileSync(join(root, path), 'utf8')).packages
  } catch (error) {
    if (path.startsWith('node_modules/')) return {} // never installed, or npm was killed half-way
    throw new Error(`cannot read ${path} (${error.message})`)
  }
}

function libcName() {
  if (process.platform !== 'linux') return undefined
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
}

async function npmCi(dev) {
  const script = process.env.npm_execpath ?? ''
  const isNpm = /npm-cli\.c?js$/.test(script) && fs.existsSync(script) // not npm-cli.js of pnpm or yarn
  const [command, ...args] = isNpm ? [process.execPath, script, 'ci'] : ['npm', 'ci']
  // These options override settings of the user's npm that would break the install. No package here needs an
  // install script.
  args.push(dev, '--include=optional', '--include=peer', '--install-strategy=hoisted', '--bin-links')
  args.push('--engine-strict=false', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error')
  const npm = spawn(command, args, { cwd: root, stdio: ['inherit', 2, 2] })
  if (npm.pid) fs.mkdirSync(join(lock, `${npm.pid}`)) // npm owns the lock too, because it may outlive this process
  const [code, signal] = await once(npm, 'exit').catch(() => {
    throw new Error('npm was not found: install Node.js together with npm')
  })
  if (code === 0) return
  process.exitCode = code ?? 1
  throw new Error(`npm ci failed (${signal ?? `exit code ${code}`}), see its messages above`)
}

/**
 * Links the Node of this machine. npm 9 and 10 lose this link because of the Node packages for other machines, whose
 * program has the same name.
 */
function linkNode() {
  const packages = Object.entries(packagesOf('package-lock.json'))
  const [path, { bin }] = packages.find(([path, { bin }]) => bin?.node && exists(join(path, bin.node))) ?? [
    '',
    {},
  ]
  if (!path) return
  fs.mkdirSync(join(root, dirname(node)), { recursive: true })
  fs.symlinkSync(relative(dirname(node), join(path, bin.node)), join(root, node))
}

/**
 * Waits until no other process installs. The lock is a folder that contains a folder for each of its owners.
 * It is completed under another name and then renamed. Renaming succeeds only if there is no lock, or an
 * empty one.
 */
async function takeLock() {
  const mine = `${lock}-${process.pid}`
  process.on('exit', () => [mine, lock].forEach(releaseDead))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  fs.mkdirSync(join(mine, `${process.pid}`), { recursive: true })
  for (let told = false; ; await delay(100)) {
    try {
      return fs.renameSync(mine, lock)
    } catch (error) {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    }
    const owner = releaseDead(lock)
    if (owner && !told) say(`waiting for another installation (process ${owner}) …`)
    told ||= Boolean(owner)
  }
}

/** Removes this process and dead processes from a lock. Returns a living owner. Deletes the lock if there is none. */
function releaseDead(dir) {
  try {
    const owners = fs.readdirSync(dir)
    const living = owners.filter((pid) => Number(pid) !== process.pid && isAlive(pid))
    for (const pid of owners) if (!living.includes(pid)) fs.rmdirSync(join(dir, pid))
    if (living.length === 0) fs.rmdirSync(dir)
    return living[0]
  } catch {
    return undefined // gone, or just taken by another process
  }
}

function isAlive(pid) {
  try {
    return process.kill(Number(pid), 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await install(process.argv.includes('--production')).catch((error) => {
    say(`the packages could not be installed: ${error.message}`)
    process.exitCode ||= 1
  })
}
