import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { TestClient } from '../support/app.ts'
import { untilBlocked, withClientOf } from '../support/direct-sql.ts'
import { Child, cleanUp, command, newDataDir, startServer } from '../support/processes.ts'

afterAll(cleanUp)

test.each(['help', '--port=8081', 'orgs list'])(
  'an argument is refused before anything starts: %s',
  async (args) => {
    const env = { DATA_DIR: newDataDir() }
    const refused = await new Child('src/main.ts', args.split(' '), env).ended
    const first = JSON.stringify(args.split(' ')[0])
    expect(refused).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringMatching(
        new RegExp(`^The server takes no arguments.* ${first}\\..*npm run crosswalk -- help\n$`),
      ),
    })
    expect(existsSync(env.DATA_DIR)).toBe(false)
  },
)

const env = { DATA_DIR: newDataDir() }
const hasCurl = spawnSync('curl', ['--version']).status === 0
const ready = /is ready at (http\S+)/

async function readGreeting(server: ReturnType<typeof startServer>) {
  const [, address] = await server.says(ready)
  await server.says(/Ctrl-C stops it\.\n/)
  const [, orgId] = await server.says(/demo org +([0-9a-f-]{36})/)
  const [, live] = await server.says(/live key +(svc_live_\w+)/)
  const [, testing] = await server.says(/test key +(svc_test_\w+)/)
  const [, curl] = await server.says(/\n +(curl .*)\n/)
  return { address: address!, orgId: orgId!, live: live!, testing: testing!, curl: curl! }
}

const showsKeys = (text: string) => /svc_|demo org/.test(text)

// The tests share one DATA_DIR, which is empty at first. So their order matters.
test('a first start on a port that is in use fails with one sentence and shows no key yet', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const refused = await startServer({ ...env, PORT: String(port), LOG_LEVEL: 'warn' }).ended
  taken.close()
  expect(refused).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Port \d+ is taken.*PORT=0.*\n$/),
  })
})

test('a data folder that cannot be created is one sentence that names DATA_DIR', async () => {
  const refused = await startServer({ DATA_DIR: '/dev/null/crosswalk' }).ended
  expect(refused).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^\/dev\/null\/crosswalk\S+ cannot be created.*DATA_DIR.*\n$/),
  })
})

test.runIf(process.platform === 'linux')(
  'the table of open files has room for all connections from the start: doubling it would stop all requests',
  async () => {
    const server = startServer({ ...env, DEMO: '0' })
    await server.says(/Ctrl-C/)
    const [, size] = /^FDSize:\s+(\d+)$/m.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))!
    expect(Number(size)).toBeGreaterThan(4_096)
    server.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
  },
)

test('with PUBLIC_URL, every line of the greeting that names a page has the public address', async () => {
  const PUBLIC_URL = 'https://crosswalk.example.com'
  const server = startServer({ ...env, DEMO: '0', PUBLIC_URL })
  await server.says(/Ctrl-C/)
  const pages = server.stdout.matchAll(/^ {2}(?:console|API|website|AI hosts|guides) +(\S+)\//gm)
  expect([...pages].map(([, address]) => address!.replace(/\/console|\/guides/, ''))).toEqual(
    Array(5).fill(PUBLIC_URL),
  )
  server.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
})

test('a process with ROLE=worker serves no HTTP and shows no keys, and DEMO=0 creates no demo organization', async () => {
  const worker = startServer({ ...env, ROLE: 'worker' })
  await worker.says(/is ready, as a worker[\s\S]*Ctrl-C/)
  expect(worker.stdout).not.toMatch(/http|svc_|null/)
  // If root runs the tests, PostgreSQL's user must be able to enter this folder.
  expect(worker.stdout).toContain(`${join(env.DATA_DIR, 'postgres')} (embedded PostgreSQL)`)
  worker.kill('SIGTERM')
  expect((await worker.ended).code).toBe(0)

  const server = startServer({ ...env, DEMO: '0' })
  const [, address] = await server.says(ready)
  await server.says(/Ctrl-C/)
  expect(showsKeys(server.stdout)).toBe(false)
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
  expect((await command('orgs list --json', env)).stdout).toBe('{"orgs":[]}\n')
  server.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
})

describe('the greeting of a first start', () => {
  test('a first start shows the address, the org, keys and a curl command that works unchanged', async () => {
    const server = startServer(env)
    const shown = await readGreeting(server)
    if (hasCurl) {
      const { stdout } = await promisify(execFile)('sh', ['-c', `${shown.curl} -sS`])
      expect(JSON.parse(stdout)).toMatchObject({ data: [{}, {}, {}], pagination: { limit: 3, total: 3007 } })
    }
    for (const [token, mode] of [
      [shown.live, 'live'],
      [shown.testing, 'test'],
    ] as const) {
      const { body } = await new TestClient(shown.address, token).get('/organization')
      expect(body.data).toMatchObject({ org: { org_id: shown.orgId, name: 'Demo' }, mode })
    }
    expect(server.stdout.split(shown.live)).toHaveLength(3)
    expect(server.stdout.split(shown.testing)).toHaveLength(2)
    expect(server.stderr).not.toMatch(/svc_|"level":"(warn|error|fatal)"/)
    server.kill('SIGINT')
    expect((await server.ended).code).toBe(0)
  })

  test('a first start shows keys, and later starts do not', async () => {
    const server = startServer(env)
    await server.says(/Ctrl-C stops it/)
    expect(showsKeys(server.stdout)).toBe(false)
    expect(server.stdout).toContain('npm run crosswalk -- orgs create')

    // After 3 s, as on a busy machine, it also logs at the level "info" that it waits.
    const second = await startServer({ ...env, LOG_LEVEL: 'warn' }).ended
    expect(second.code).toBe(1)
    expect(second.stdout).toBe('')
    expect(second.stderr).toContain(`process ${server.process.pid}`)
    expect(second.stderr.trim()).not.toContain('\n')
    server.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
  })
})

test('all invalid settings are reported in one message', async () => {
  const { code, stdout, stderr } = await startServer({
    PORT: '99999',
    ROLE: 'boss',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://root:geheim@localhost/x',
    ENCRYPTION_KEY: 'short',
    METRICS_TOKEN: 'x',
    IMPORT_MAX_BYTES: '-1',
    DEMO: 'maybe',
    PUBLIC_URL: 'ftp://x',
  }).ended
  expect([code, stdout]).toEqual([1, ''])
  const [first, ...faults] = stderr.trim().split('\n')
  expect(first).toBe('These settings cannot be used:')
  expect(faults.map((fault) => /^ {2}- ([A-Z_]+) \S+/.exec(fault)?.[1])).toEqual([
    'PORT',
    'PUBLIC_URL',
    'DATABASE_URL',
    'ENCRYPTION_KEY',
    'METRICS_TOKEN',
    'LOG_LEVEL',
    'ROLE',
    'IMPORT_MAX_BYTES',
    'DEMO',
  ])
  expect(stderr).not.toContain('geheim')
})

describe.concurrent('an unreachable database fails the start with one sentence', () => {
  const key = { ENCRYPTION_KEY: Buffer.alloc(32, 'x').toString('base64'), LOG_LEVEL: 'warn' }
  test.each([
    ['postgres://me:geheim@127.0.0.1:1/x', /cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\)/],
    ['postgres://me:geheim@nowhere.invalid/x', /cannot be reached \(getaddrinfo/],
    ['postgres://me:geheim@127.0.0.1:99999/x', /DATABASE_URL cannot be read/],
  ])('an unreachable database fails the start with one sentence: %s', async (url, says) => {
    const { code, stdout, stderr } = await startServer({ DATABASE_URL: url, ...key }).ended
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(says)
    expect(stderr).not.toMatch(/geh|\n.*\n.*\n/)
  })
})

test('SIGTERM lets a running request finish, and SIGKILL loses no acknowledged write', async () => {
  const [, token] = /"api_key_token":"(\w+)"/.exec((await command('orgs create Acme --json', env)).stdout)!
  const first = startServer(env)
  const [, address] = await first.says(ready)
  const org = new TestClient(address!, token!)
  const { contact_id: id } = (await org.post('/contacts', { email: 'ada@example.com' })).body.data
  const { database_url } = JSON.parse((await command('database-url --json', env)).stdout)

  const answer = await withClientOf(database_url, async (client) => {
    await client.query('begin')
    await client.query('select from contact where contact_id = $1 for update', [id])
    const asked = org.patch(`/contacts/${id}`, { city: 'London' })
    await untilBlocked(client)
    first.kill('SIGTERM')
    await first.says(/finishing running requests/)
    await client.query('rollback')
    return asked
  })
  expect([answer.status, answer.body.data.city]).toEqual([200, 'London'])
  expect((await first.ended).code).toBe(0)

  const second = startServer(env)
  const again = new TestClient((await second.says(ready))[1]!, token!)
  expect((await again.get(`/contacts/${id}`)).body.data.city).toBe('London')
  const { contact_id: late } = (await again.post('/contacts', { email: 'grace@example.com' })).body.data
  second.kill('SIGKILL')
  await second.ended

  const third = startServer(env)
  const { body } = await new TestClient((await third.says(ready))[1]!, token!).get('/contacts')
  expect(body.data.map((contact: { contact_id: string }) => contact.contact_id)).toEqual([late, id])
  third.kill('SIGTERM')
  expect((await third.ended).code).toBe(0)
})
