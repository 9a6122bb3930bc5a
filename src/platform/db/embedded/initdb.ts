import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { explainLogLine } from './faults.ts'
import { canEnter, isRoot, newServerUser, nobody, type User } from './user.ts'

const cleanEnvironment = { cwd: '/', env: { TZ: 'UTC' } }

/** Creates a cluster with the superuser and the database `crosswalk`, ready to start. */
export async function makeCluster(cluster: string, binaries: string, password: string): Promise<void> {
  const user = isRoot() ? nobody() : undefined
  fs.mkdirSync(cluster, { mode: 0o700 })
  if (user) fs.chownSync(cluster, user.uid, user.gid)
  const run = async (program: string, args: string[], input = '') => {
    const command = [join(binaries, 'bin', program), ...args]
    const { code, errors } = await runToEnd(command, user, input)
    if (code !== 0) throw explainLogLine(lastErrorLine(errors), dirname(dirname(cluster)))
  }
  await run('initdb', [...initdbOptions, '-D', cluster])
  // Send the password through a pipe, so that no file and no command line contains it.
  const statements = `alter role crosswalk password '${password}';\ncreate database crosswalk;\n`
  await run('postgres', ['--single', '-D', cluster, ...quietSettings, 'postgres'], statements)
  if (user) restrictToRoot(cluster)
  fs.appendFileSync(join(cluster, 'postgresql.conf'), includeLine)
  fs.writeFileSync(join(cluster, 'pg_hba.conf'), accessRules)
  if (user) chownToNewUser(cluster)
}

/**
 * Makes a separate user the owner of a cluster that only root can enter. If a container has too few user ids,
 * `nobody` becomes the owner.
 */
export function chownToNewUser(cluster: string): void {
  const fresh = newServerUser()
  const user = canEnter('/', fresh) ? fresh : nobody()
  for (const path of fs.readdirSync(cluster, { recursive: true, encoding: 'utf8' })) {
    fs.lchownSync(join(cluster, path), user.uid, user.gid)
  }
  fs.chownSync(cluster, user.uid, user.gid)
}

/** Lets only root enter the cluster, before root writes into it. */
export function restrictToRoot(cluster: string): void {
  fs.chownSync(cluster, 0, 0)
  fs.chmodSync(cluster, 0o700)
}

const initdbOptions = [
  '--username=crosswalk',
  '--auth=trust', // `accessRules` replaces this before a server listens
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  '--no-instructions',
]
const quietSettings = ['exit_on_error=on', 'log_min_error_statement=panic', 'log_checkpoints=off'].flatMap(
  (setting) => ['-c', setting],
)
const accessRules = 'local all all scram-sha-256\nlocal replication all scram-sha-256\n'
const includeLine = `
# Crosswalk writes its own settings again at each start. What you add below this line wins over them.
include '../crosswalk.conf'
`

async function runToEnd(command: string[], user: User | undefined, input: string) {
  const [program, ...args] = command
  const child = spawn(program!, args, { ...cleanEnvironment, ...user, stdio: ['pipe', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  child.stdin.on('error', () => {}) // the process ended early, and its exit code shows it
  child.stdin.end(input)
  const [[code], errors] = await Promise.all([exited, text(child.stderr)])
  return { code: code as number | null, errors }
}

/** Returns the last error line in PostgreSQL's output. */
export function lastErrorLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() && !/the database system is /.test(line))
  const worst = lines.findLast((line) => /\b(PANIC|FATAL|ERROR|error):/.test(line)) ?? lines.at(-1) ?? ''
  return worst.replace(/^.*?\b(PANIC|FATAL|ERROR|error):\s*/, '')
}
