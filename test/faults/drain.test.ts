import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { TestClient } from '../support/app.ts'
import { cloneDatabase, testKey } from '../support/database.ts'
import { freePort } from '../support/own-postgres.ts'
import { patience } from '../support/patience.ts'
import { cleanUp, command, type Ended, startServer } from '../support/processes.ts'

const drainSeconds = 3
const drained = drainSeconds * 1_000

let database: Awaited<ReturnType<typeof cloneDatabase>>
let env: Record<string, string>
let client: TestClient

beforeAll(async () => {
  database = await cloneDatabase(inject('databaseUrl'))
  env = {
    ...{ DATABASE_URL: database.url, ENCRYPTION_KEY: testKey.toString('base64') },
    ...{ PORT: String(await freePort()), DRAIN_SECONDS: String(drainSeconds) },
  }
  const { stdout } = await command('orgs create Acme --json', env)
  client = new TestClient(`http://127.0.0.1:${env.PORT}`, JSON.parse(stdout).api_key_token)
})
afterAll(async () => {
  await cleanUp()
  await database?.drop()
})

async function startedServer(settings: Record<string, string> = {}) {
  const server = startServer({ ...env, ...settings })
  await server.says(/Ctrl-C/)
  return server
}

/** Sends a signal, and measures the time until the end. */
function stop(
  server: ReturnType<typeof startServer>,
  signal: NodeJS.Signals,
): Promise<Ended & { ms: number }> {
  const startedAt = performance.now()
  server.kill(signal)
  return server.ended.then((ended) => ({ ...ended, ms: performance.now() - startedAt }))
}

/** One request on a connection of `agent`. */
function ask(agent: Agent, path: string): Promise<{ status: number; connection: string | undefined }> {
  const headers = { authorization: `Bearer ${client.token}` }
  return new Promise((resolve, reject) => {
    request(`${client.address}${path}`, { agent, headers }, (response) => {
      response.resume().on('end', () => {
        resolve({ status: response.statusCode!, connection: response.headers.connection })
      })
    })
      .on('error', reject)
      .end()
  })
}

const oneConnection = () => new Agent({ keepAlive: true, maxSockets: 1 })

const readyz = () => client.get('/readyz', { prefix: '' })

test.each(['1', '2'])(
  'after SIGTERM, %s processes serve all requests for DRAIN_SECONDS, and /readyz answers 503',
  async (API_PROCESSES) => {
    const server = await startedServer({ API_PROCESSES, ROLE: 'api' })
    const kept = oneConnection()
    expect(await ask(kept, '/organization')).toEqual({ status: 200, connection: 'keep-alive' })
    const stopped = stop(server, 'SIGTERM')
    await server.says(/stopping in 3 s/)
    await expect.poll(readyz).toMatchObject({ status: 503, body: { status: 'stopping' } })
    // On an open connection, and on a new one.
    for (const agent of [kept, oneConnection()])
      expect(await ask(agent, '/organization')).toEqual({ status: 200, connection: 'close' })
    expect((await client.post('/contacts', { first_name: 'Ada' })).status).toBe(201)
    const { code, ms, stderr } = await stopped
    expect(code).toBe(0)
    expect(ms).toBeGreaterThan(drained)
    expect(stderr).not.toMatch(/"level":"(warn|error)"/)
    await expect(readyz()).rejects.toThrow()
  },
)

test('answers of the last second keep their connections, which are served after the server stops listening', async () => {
  const server = await startedServer({ ROLE: 'api' })
  const [early, late] = [oneConnection(), oneConnection()]
  // Polls without a pause would reach the rate limit of the organization.
  const seldom = { ...patience, interval: 100 }
  await ask(early, '/organization')
  const stopped = stop(server, 'SIGTERM')
  await expect.poll(readyz, patience).toMatchObject({ status: 503 })
  expect(await ask(late, '/organization')).toEqual({ status: 200, connection: 'close' })
  await expect
    .poll(() => ask(late, '/organization'), seldom)
    .toEqual({ status: 200, connection: 'keep-alive' })
  await expect
    .poll(() => ask(new Agent(), '/organization').catch(({ code }) => code), seldom)
    .toBe('ECONNREFUSED')
  const answers = [early, late].map((agent) => ask(agent, '/organization'))
  expect(await Promise.all(answers)).toMatchObject([{ status: 200 }, { status: 200 }])
  const { code, stderr } = await stopped
  expect(code).toBe(0)
  expect(stderr).not.toMatch(/"level":"(warn|error)"/)
})

test('a second SIGTERM ends the server while it drains', async () => {
  const server = await startedServer({ DRAIN_SECONDS: '60' })
  const stopped = stop(server, 'SIGTERM')
  await server.says(/stopping in 60 s/)
  // A second signal within a second is the same Ctrl-C: the terminal and npm both send it.
  const again = setInterval(() => server.kill('SIGTERM'), 200)
  const { code, ms } = await stopped
  clearInterval(again)
  expect(code).toBe(1)
  expect(ms).toBeLessThan(10_000)
})

test.each([
  ['Ctrl-C', 'SIGINT', {}],
  ['the stop of a worker', 'SIGTERM', { ROLE: 'worker' }],
  ['the stop of a server without the setting', 'SIGTERM', { DRAIN_SECONDS: '' }],
  ['Ctrl-C with several processes', 'SIGINT', { API_PROCESSES: '2' }],
] as const)('%s does not drain', async (_what, signal, settings) => {
  const server = await startedServer({ DRAIN_SECONDS: '60', ...settings })
  const { code, stdout, stderr, ms } = await stop(server, signal)
  expect({ code, stderr: /stopping in/.test(stderr), stdout }).toMatchObject({ code: 0, stderr: false })
  expect(ms).toBeLessThan(10_000)
})
