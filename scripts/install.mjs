// Installs packages that node_modules lacks, including Node itself. It runs first, with the machine's Node (20 or
// later), and needs no package and no TypeScript.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { log, npmCi, takeLock } from './npm.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const node = 'node_modules/.bin/node'
const command = 'node_modules/.bin/crosswalk'
const exists = (path) => fs.existsSync(join(root, path))

/**
 * Returns the needed packages (`node_modules/…`) that lack the right version. `wanted` and `installed`: the
 * `packages` of package-lock.json and of node_modules/.package-lock.json. `machine`: { os, cpu, libc }. `exists`:
 * whether a path exists.
 */
export function findMissing({ wanted, installed, machine, production, exists }) {
  const isWanted = ([path, { dev, optional, devOptional, os, cpu, libc }]) => {
    if (!path.includes('node_modules/') || (production && dev)) return false
    if (!optional && !devOptional) return true
    // A package for every machine may depend on one for another machine. npm installs neither of them.
    if (!os && !cpu && !libc) return path in installed
    return allows(os, machine.os) && allows(cpu, machine.cpu) && allows(libc, machine.libc)
  }
  const isMissing = ([path, { version }]) => installed[path]?.version !== version || !exists(path)
  return Object.entries(wanted)
    .filter((entry) => isWanted(entry) && isMissing(entry))
    .map(([path]) => path)
}

/** Whether a list such as "linux" or ["linux", "!arm"] includes `value`. */
function allows(list, value) {
  const rules = [list ?? []].flat()
  const positive = rules.filter((rule) => !rule.startsWith('!'))
  return !rules.includes(`!${value}`) && (positive.length === 0 || positive.includes(value))
}

async function install(production) {
  if (look(production).missing.length === 0 && exists(node) && exists(command)) return
  await takeLock(root)
  const { missing, hasDev } = look(production) // another process may have installed them during the wait
  if (missing.length > 0) {
    log(`installing packages (${missing.length} missing or outdated) …`)
    await npmCi(root, production && !hasDev ? '--omit=dev' : '--include=dev')
  }
  if (!exists(node)) linkNode()
  if (!exists(command)) link('cli/bin/crosswalk', command)
  const { stdout } = spawnSync(join(root, node), ['--version'], { encoding: 'utf8' })
  if (Number(/^v(\d+)\./.exec(stdout ?? '')?.[1]) >= 26) return
  throw new Error(`there is no Node 26 among them that runs on ${process.platform} ${process.arch}`)
}

function look(production) {
  const wanted = packagesOf('package-lock.json')
  const installed = packagesOf('node_modules/.package-lock.json')
  const machine = { os: process.platform, cpu: process.arch, libc: libcName() }
  const missing = findMissing({ wanted, installed, machine, production, exists })
  // `npm ci` empties node_modules, so reinstall development packages too, even for `npm start`.
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

/**
 * Links the Node of this machine. npm 9 and 10 lose this link, because the Node packages of all machines have the
 * same program name.
 */
function linkNode() {
  const packages = Object.entries(packagesOf('package-lock.json'))
  const [path, { bin }] = packages.find(([path, { bin }]) => bin?.node && exists(join(path, bin.node))) ?? [
    '',
    {},
  ]
  if (!path) return
  link(join(path, bin.node), node)
}

function link(target, path) {
  fs.mkdirSync(join(root, dirname(path)), { recursive: true })
  fs.rmSync(join(root, path), { force: true })
  fs.symlinkSync(relative(dirname(path), target), join(root, path))
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await install(process.argv.includes('--production')).catch((error) => {
    log(`the packages could not be installed: ${error.message}`)
    process.exitCode ||= 1
  })
}
