import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from '../../cli/src/run.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { settingsOf } from '../support/crosswalk-command.ts'
import { patience } from '../support/patience.ts'
import { newDataDir } from '../support/processes.ts'
import { compiled } from '../support/run/compiled.ts'

// Answers no request, as a server that hangs.
const silent = createServer().listen(0, '127.0.0.1')
await once(silent, 'listening')
afterAll(() => {
  silent.closeAllConnections()
  silent.close()
})
const folder = newDataDir()
mkdirSync(folder, { recursive: true })
const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
const env = {
  ...settingsOf({ address, token: `svc_live_${'k'.repeat(40)}` }),
  ...{ XDG_CONFIG_HOME: folder, TMPDIR: folder, PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compiled },
}
const file = join(folder, 'people.csv')
writeFileSync(file, 'Mail\nada@example.com\n')

type Stdio = 'pipe' | 'ignore' | number
const start = (args: string[], stdout: Stdio = 'pipe', more: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, [join(projectRoot, 'cli/src/main.ts'), ...args], {
    env: { ...env, ...more },
    stdio: ['pipe', stdout, 'pipe'],
  })

test.each<[name: string, signal: NodeJS.Signals, line: string]>([
  ['contacts list', 'SIGINT', 'contacts list --all'],
  ['contacts list', 'SIGTERM', 'contacts list --all'],
  ['import', 'SIGTERM', `import contacts ${file}`],
  ['import of standard input', 'SIGTERM', 'import contacts -'],
  ['listen', 'SIGTERM', 'listen --forward-to localhost:1'],
  ['events tail', 'SIGTERM', 'events tail'],
  ['push leads', 'SIGTERM', 'push leads --yes'],
  ['calls place', 'SIGTERM', 'calls place +12025550104 --yes'],
  ['mcp', 'SIGTERM', 'mcp'],
])('crosswalk %s ends with 130 and without an error after %s', async (name, signal, line) => {
  const child = start(line.split(' '))
  const said = text(child.stderr!)
  // The command has read its first request when the server has it.
  if (name === 'mcp') child.stdin!.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  if (name === 'import of standard input') {
    child.stdin!.write('Mail\n')
    await expect
      .poll(() => readdirSync(folder).some((one) => one.startsWith('crosswalk-')), patience)
      .toBe(true)
  } else await once(silent, 'request')
  child.kill(signal)
  const [code] = await once(child, 'close')
  expect([code, (await said).replace(/^Waiting for events.*\n/, '')]).toEqual([130, ''])
  expect(readdirSync(folder).filter((one) => one.startsWith('crosswalk-'))).toEqual([])
})

test('if SIGTERM ends login while it asks for the API key, the terminal shows typed letters again', async () => {
  const modes: boolean[] = []
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
  })
  const stop = new AbortController()
  const stream = () => new PassThrough().resume()
  const stderr = stream()
  const ending = run(['login', '--base-url', address], {
    ...{ env, stdin, stdout: stream(), stderr, signal: stop.signal },
  })
  await expect.poll(() => modes, patience).toEqual([true])
  stdin.write('svc_live_\u001b[A')
  stop.abort()
  expect(await ending).toBe(130)
  expect(modes).toEqual([true, false])
})

test('a result that cannot be written ends with an error, and a closed pipe ends without one', async () => {
  const readOnly = start(['help'], openSync(file, 'r'))
  const said = text(readOnly.stderr!)
  expect((await once(readOnly, 'close'))[0]).toBe(1)
  expect(await said).toMatch(/^crosswalk: The result cannot be written: E\w+/)
  const piped = start(['help'])
  piped.stdout!.destroy()
  const nothing = text(piped.stderr!)
  expect([(await once(piped, 'close'))[0], await nothing]).toEqual([0, ''])
})

describe('crosswalk admin', () => {
  test("admin runs an operator's command with its flags, and ends with its exit code", async () => {
    const help = start(['admin', 'help'])
    const [shown] = await Promise.all([text(help.stdout!), once(help, 'close')])
    expect([help.exitCode, shown]).toEqual([0, expect.stringMatching(/orgs create/)])
    const wrong = start(['admin', 'orgs', 'lst', '--json'])
    const said = text(wrong.stderr!)
    expect([(await once(wrong, 'close'))[0], await said]).toEqual([1, expect.stringMatching(/orgs create/)])
  })

  test('admin passes SIGTERM to the command', async () => {
    // Not the HTTP server, which would refuse PostgreSQL's first message.
    const database = createTcpServer().listen(0, '127.0.0.1')
    await once(database, 'listening')
    const { port } = database.address() as AddressInfo
    const settings = {
      DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none`,
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    }
    const child = start(['admin', 'orgs', 'list'], 'pipe', settings)
    const [socket] = (await once(database, 'connection')) as [Socket]
    socket.resume()
    child.kill('SIGTERM')
    // The connection closes with the operator's command.
    await Promise.all([once(child, 'close'), once(socket, 'close')])
    database.close()
    expect(child.exitCode).not.toBe(0)
  })
})
