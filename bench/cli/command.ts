// Measures the command `crosswalk` against a server of its own: the start, a list and an import of many contacts, and
// how long `listen` takes to deliver.
//   node bench/cli/command.ts [--rows 100000] [--starts 41]
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Io } from '../../cli/src/io.ts'
import { run } from '../../cli/src/run.ts'
import { Crosswalk } from '../../sdk/src/main.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { median } from '../support/client.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, starts: { type: 'string', default: '41' } },
})
const rows = Number(values.rows)
const folder = mkdtempSync(join(tmpdir(), 'crosswalk-cli-bench-'))
// PostgreSQL's user must enter the folder, which contains the database.
chmodSync(folder, 0o711)
const program = join(projectRoot, 'cli/src/main.ts')
const print = (text: string) => process.stdout.write(`${text}\n`)

/** Starts a server with an empty organization. */
async function startServer(): Promise<{ server: ChildProcess; env: Record<string, string> }> {
  const settings = { DATA_DIR: join(folder, 'data'), PORT: '0', CONSOLE: '0' }
  const server = spawn(process.execPath, [join(projectRoot, 'src/main.ts')], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const chunk of server.stdout!) {
    said += chunk
    if (/Ctrl-C stops it/.test(said)) break
  }
  const [, address = ''] = /is ready at (http\S+)/.exec(said) ?? []
  const operate = (...args: string[]) =>
    execFileSync(process.execPath, [join(projectRoot, 'src/cli.ts'), ...args, '--json'], {
      env: { ...process.env, ...settings },
      encoding: 'utf8',
    })
  const made = operate('orgs', 'create', 'Bench')
  const { org_id } = JSON.parse(made.trim().split('\n').at(-1) ?? '')
  operate('orgs', 'limits', org_id, '--per-second', 'none', '--per-minute', 'none')
  const key = JSON.parse(operate('keys', 'create', org_id).trim().split('\n').at(-1) ?? '')
  const env = {
    CROSSWALK_URL: address,
    CROSSWALK_API_KEY: key.api_key_token,
    XDG_CONFIG_HOME: folder,
  }
  return { server, env }
}

/** The medians of alternating starts, in milliseconds. */
function starts(): void {
  const compiled = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') }
  execFileSync(process.execPath, ['node_modules/.bin/tsc', '-p', 'cli', '--outDir', join(folder, 'dist')], {
    cwd: projectRoot,
  })
  const took = (file: string, ...args: string[]) => {
    const startedAt = performance.now()
    execFileSync(file, args, { env: compiled })
    return performance.now() - startedAt
  }
  const ways = {
    'node -e 0': () => took(process.execPath, '-e', '0'),
    '--version in an installation': () => took(join(projectRoot, 'node_modules/.bin/crosswalk'), '--version'),
    '--version of the package': () =>
      took(process.execPath, join(folder, 'dist/cli/src/main.js'), '--version'),
  }
  const times = Object.entries(ways).map(([name, start]) => ({ name, start, taken: [] as number[] }))
  for (let n = 0; n < Number(values.starts); n++) for (const way of times) way.taken.push(way.start())
  const bare = median(times[0]!.taken)
  for (const { name, taken } of times)
    print(`${name}: median ${median(taken).toFixed(1)} ms (${(median(taken) / bare).toFixed(2)})`)
}

/** Runs a command in this process. `onText` gets what a terminal would show. */
function inProcess(
  args: string[],
  env: Record<string, string>,
  signal: AbortSignal,
  onText: (text: string) => void,
) {
  const stream = () =>
    Object.assign(
      new Writable({
        decodeStrings: false,
        write(chunk, _encoding, done) {
          onText(String(chunk))
          done()
        },
      }),
      { isTTY: true, columns: 100 },
    )
  const stdin = Readable.from([]) as Io['stdin']
  return run(args, { env, stdin, stdout: stream(), stderr: stream(), signal })
}

async function importRows(env: Record<string, string>): Promise<void> {
  const path = join(folder, 'people.csv')
  const file = createWriteStream(path)
  file.write('Given name,Surname,Mail,City\n')
  for (let n = 0; n < rows; n++) file.write(`Ada,Number ${n},ada${n}@example.com,London\n`)
  file.end()
  await finished(file)
  const shown: { at: number; text: string }[] = []
  const startedAt = performance.now()
  const code = await inProcess(['import', 'contacts', path], env, new AbortController().signal, (text) => {
    if (text !== shown.at(-1)?.text) shown.push({ at: performance.now(), text })
  })
  const seconds = (performance.now() - startedAt) / 1000
  const pauses = shown.slice(1).map(({ at }, index) => at - shown[index]!.at)
  print(
    `import: ${rows} rows in ${seconds.toFixed(1)} s, exit code ${code}; the longest time without a change on the terminal: ${Math.max(...pauses).toFixed(0)} ms`,
  )
}

/**
 * Lists contacts in a process of its own. Prints the time and the maximum resident memory.
 * @param heapMb the limit of the heap; 0: the default of Node
 */
async function list(env: Record<string, string>, args: string[], heapMb = 0): Promise<void> {
  const startedAt = performance.now()
  const heap = heapMb > 0 ? [`--max-old-space-size=${heapMb}`] : []
  const child = spawn(process.execPath, [...heap, program, 'contacts', 'list', ...args, '-o', 'jsonl'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  let [peak, lines] = [0, 0]
  for await (const chunk of child.stdout) {
    for (const byte of chunk as Buffer) if (byte === 10) lines++
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`list ${args.join(' ')} ended with ${code}`)
  const seconds = (performance.now() - startedAt) / 1000
  print(
    `list ${args.join(' ')}: ${lines} contacts in ${seconds.toFixed(1)} s, at most ${peak.toFixed(0)} MiB`,
  )
}

async function listen(env: Record<string, string>): Promise<void> {
  const arrivals = new Map<string, number>()
  const receiver = createServer((incoming, outgoing) => {
    arrivals.set(String(incoming.headers['webhook-id']), performance.now())
    incoming.resume().once('end', () => outgoing.end())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const stop = new AbortController()
  const { port } = receiver.address() as AddressInfo
  const args = ['listen', '--forward-to', `127.0.0.1:${port}`, '--types', 'contact.created']
  const ended = inProcess(args, env, stop.signal, () => {})
  await delay(1000)
  const client = new Crosswalk({ apiKey: env.CROSSWALK_API_KEY, baseUrl: env.CROSSWALK_URL })
  const waits: number[] = []
  for (let n = 0; n < 60; n++) {
    const before = arrivals.size
    await client.contacts.create({ first_name: 'Grace' })
    const answeredAt = performance.now()
    while (arrivals.size === before && performance.now() - answeredAt < 5000) await delay(2)
    waits.push(Math.max(0, ([...arrivals.values()].at(-1) ?? Number.POSITIVE_INFINITY) - answeredAt))
    await delay(50)
  }
  stop.abort()
  await ended
  receiver.close()
  const sorted = waits.toSorted((one, other) => one - other)
  print(
    `listen: ${arrivals.size} of 60 events; answer of the change to receiver: median ${median(waits).toFixed(0)} ms, at most ${sorted.at(-1)?.toFixed(0)} ms`,
  )
}

const { server, env } = await startServer()
try {
  starts()
  await importRows(env)
  for (const count of [10, 2]) await list(env, ['--limit', String(Math.round(rows / count))])
  await list(env, ['--all'])
  // Fails if the command keeps what it has printed.
  await list(env, ['--all'], 24)
  await listen(env)
} finally {
  server.kill('SIGTERM')
  await once(server, 'close')
  rmSync(folder, { recursive: true, force: true })
}
