// Builds the web console into console/dist, unless it is up to date: installs its packages, runs Vite, and compresses
// the files. Works with Node alone, also on a server without development packages.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { log, npmCi, spawnChild, takeLock } from './npm.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'console')
const dist = join(folder, 'dist')
const lockFile = join(folder, 'package-lock.json')
const installedStamp = join(folder, 'node_modules/.stamp')
const made = /^(node_modules|dist.*|\.install-lock.*)$/

/** The SHA-256 of the console's sources; null if they are missing, as in the Docker image. */
function sourceStamp() {
  if (!fs.existsSync(lockFile)) return null
  const hash = createHash('sha256')
  for (const path of [...filesIn(folder), ...filesIn(join(root, 'sdk/src'))].sort())
    hash
      .update(`${path.slice(root.length)}\0`)
      .update(fs.readFileSync(path))
      .update('\0')
  return hash.digest('hex')
}

function filesIn(path) {
  return fs
    .readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !made.test(name))
    .flatMap((entry) => {
      const inner = join(path, entry.name)
      return entry.isDirectory() ? filesIn(inner) : [inner]
    })
}

const read = (path) => (fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : null)

/** Whether console/dist was built from the current sources. */
function isBuilt() {
  const stamp = sourceStamp()
  const built = read(join(dist, '.stamp'))
  return built !== null && (stamp === null || stamp === built)
}

/** Installs the packages of the console, unless they are there. */
async function installConsole() {
  const wanted = createHash('sha256').update(fs.readFileSync(lockFile)).digest('hex')
  if (read(installedStamp) === wanted) return
  await takeLock(folder)
  if (read(installedStamp) === wanted) return // another process may have installed them during the wait
  await npmCi(folder, '--include=dev')
  fs.writeFileSync(installedStamp, wanted)
}

async function build() {
  if (isBuilt()) return
  const stamp = sourceStamp()
  if (stamp === null) throw new Error('console/ is missing')
  await installConsole()
  await takeLock(folder)
  if (isBuilt()) return // another process may have built it during the wait
  const target = `${dist}-${process.pid}`
  process.on('exit', () => fs.rmSync(target, { recursive: true, force: true }))
  const vite = join(folder, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--outDir', target, '--emptyOutDir', '--logLevel', 'warn']
  // With another NODE_ENV, Vite would use React's development build, which is 70 kB larger and slower.
  const env = { ...process.env, NODE_ENV: 'production' }
  const builder = spawnChild(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 2, 2] })
  const [code, signal] = await once(builder, 'exit')
  if (code !== 0) throw new Error(`vite build failed (${signal ?? `exit code ${code}`})`)
  // Not with filesIn(), which skips names such as dist-<hash>.js.
  for (const name of fs.readdirSync(join(target, 'assets'))) compress(join(target, 'assets', name))
  fs.writeFileSync(join(target, '.stamp'), stamp)
  fs.rmSync(dist, { recursive: true, force: true })
  fs.renameSync(target, dist)
}

/** Fonts and pictures are compressed already. */
function compress(path) {
  if (!/\.(js|css|svg)$/.test(path)) return
  const plain = fs.readFileSync(path)
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
  fs.writeFileSync(`${path}.br`, brotliCompressSync(plain, { params }))
  fs.writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9, memLevel: 9 }))
}

/** Ends this process when standard input ends: the process that wanted the console was killed. */
function endWithInput() {
  for (const event of ['end', 'close']) process.stdin.once(event, () => process.exit(1))
  process.stdin.resume()
  process.stdin.unref()
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--until-input-ends')) endWithInput()
  await build().catch((error) => {
    log(`the console could not be built: ${error.message}`)
    process.exitCode ||= 1
  })
}
