import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { TestClient } from '../support/app.ts'
import { cloneDatabase, testKey } from '../support/database.ts'
import { freePort } from '../support/own-postgres.ts'
import { patience } from '../support/patience.ts'
import { type Child, cleanUp, command, startServer } from '../support/processes.ts'
import { Clients } from './clients.ts'
import { expectNothingLost, waitForMoreWrites } from './installation.ts'

// The tests share one server with two API processes, one for jobs, and a supervisor.
let database: Awaited<ReturnType<typeof cloneDatabase>>
let env: Record<string, string>
let server: Child
let stranger: TestClient

beforeAll(async () => {
  database = await cloneDatabase(inject('databaseUrl'))
  env = {
    ...{ DATABASE_URL: database.url, ENCRYPTION_KEY: testKey.toString('base64') },
    ...{ API_PROCESSES: '2', PORT: String(await freePort()) },
  }
  stranger = new TestClient(`http://127.0.0.1:${env.PORT}`, null)
  server = startServer(env)
  await server.says(/Ctrl-C/)
})
afterAll(async () => {
  await cleanUp()
  await database?.drop()
})

async function newOrg(perMinute: string): Promise<TestClient> {
  const { stdout } = await command('orgs create Acme --json', env)
  const { org_id: orgId, api_key_token: token } = JSON.parse(stdout)
  await command(`orgs limits ${orgId} --per-second none --per-minute ${perMinute}`, env)
  return new TestClient(stranger.address, token)
}

/** The process ids of the running processes, by their names. */
function processes(): Record<string, number> {
  const { pid } = server.process
  const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  const nameOf = (id: number) =>
    /CROSSWALK_PROCESS=([\w-]+)/.exec(readFileSync(`/proc/${id}/environ`, 'latin1'))?.[1] ?? ''
  return Object.fromEntries(ids.map((id) => [nameOf(id), id]))
}

async function samplesOf(name: string): Promise<Record<string, number>> {
  const { text } = await stranger.get('/metrics', { prefix: '' })
  const lines = text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))
  return Object.fromEntries([...lines].map(([, labels = '', value]) => [labels, Number(value)]))
}

const running = async () => (await stranger.get('/readyz', { prefix: '' })).body

const allUp = { 'process="api-1"': 1, 'process="api-2"': 1, 'process="worker"': 1 }

const allRun = { status: 'ready', api_processes: { wanted: 2, running: 2 } }

test('the start, doctor, /readyz and /metrics tell of all processes, each metric once', async () => {
  expect(server.stdout).toMatch(/^ {2}processes {2}2 for the API, and one for background jobs$/m)
  expect(server.stdout.match(/is ready at/g)).toHaveLength(1)
  expect(await running()).toMatchObject(allRun)
  expect((await stranger.get('/healthz', { prefix: '' })).status).toBe(200)
  expect(await samplesOf('crosswalk_process_up')).toEqual(allUp)
  const { text } = await stranger.get('/metrics', { prefix: '' })
  const described = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name)
  expect(new Set(described).size).toBe(described.length)
  const { stdout } = await command('doctor --json', env)
  expect(JSON.parse(stdout)).toMatchObject({ api_processes: 2 })
})

test('two API processes together accept exactly the limits of an organization and of a write key', async () => {
  const org = await newOrg('150')
  const answers = await Promise.all(Array.from({ length: 200 }, () => org.get('/organization')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(150)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(50)
  const left = answers.flatMap(({ status, headers }) =>
    status === 200 ? [Number(headers.get('x-ratelimit-remaining'))] : [],
  )
  expect(left.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 150 }, (_, n) => n))
  const route = (name: string) => `process="${name}",method="GET",route="/organization",status="200"`
  const counts = await samplesOf('crosswalk_http_request_duration_seconds_count')
  for (const name of ['api-1', 'api-2']) expect(counts[route(name)]).toBeGreaterThan(0)

  const open = await newOrg('none')
  const { body } = await open.post('/write-keys', { name: 'Shop', limits: { events_per_day: 60 } })
  const track = (n: number) => {
    const event = { messageId: `m${n}`, anonymousId: 'a', event: 'Viewed', writeKey: body.data.key }
    return stranger.post('/t', event, { prefix: '/v1' })
  }
  // Fewer than a burst of an address.
  const sent = await Promise.all(Array.from({ length: 80 }, (_, n) => track(n)))
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(60)
  expect(sent.filter(({ status }) => status === 429)).toHaveLength(20)
})

test('a feed gets an event whose request another process may have served', async () => {
  const org = await newOrg('none')
  const { cursor } = (await org.get('/events/feed')).body.data
  const waiting = [1, 2, 3, 4].map(() => org.get(`/events/feed?wait_seconds=20&cursor=${cursor}`))
  await org.post('/contacts', { first_name: 'Ada' })
  for (const answer of await Promise.all(waiting))
    expect(answer.body.data.events.map(({ type }: { type: string }) => type)).toEqual(['contact.created'])
})

test('processes that are killed under load are replaced, and SIGTERM drains: no acknowledged write is lost', async () => {
  const org = await newOrg('none')
  const clients = new Clients(() => stranger.address, org.token!)
  clients.start(8)
  await waitForMoreWrites(clients)
  const before = processes()
  for (const name of ['api-1', 'worker', 'api-2']) {
    await waitForMoreWrites(clients)
    process.kill(before[name]!, 'SIGKILL')
    await server.says(new RegExp(`The process ${name} ended with SIGKILL: another one is started`))
    await expect.poll(running, patience).toMatchObject(allRun)
  }
  expect(clients.refused).toBe(0)
  await expect.poll(() => samplesOf('crosswalk_process_up'), patience).toEqual(allUp)
  expect(await samplesOf('crosswalk_process_restarts_total')).toEqual({ '': 3 })
  const after = processes()
  for (const name of ['api-1', 'api-2', 'worker']) expect(after[name]).not.toBe(before[name])
  await waitForMoreWrites(clients)
  server.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  server = startServer(env)
  await server.says(/Ctrl-C/)
  await clients.stop()
  expectNothingLost(await clients.report(database.url), 'kill -9 of each process, and SIGTERM')
}, 180_000)

test('if a process ends while /metrics waits for it, the other processes still count as up', async () => {
  // The process that starts last is the last one that the supervisor asks.
  const { 'api-2': replaced } = processes()
  process.kill(replaced!, 'SIGKILL')
  await expect.poll(() => processes()['api-2'] ?? replaced, patience).not.toBe(replaced)
  await expect.poll(() => samplesOf('crosswalk_process_up'), patience).toEqual(allUp)
  const { worker } = processes()
  process.kill(worker!, 'SIGSTOP')
  const ups = samplesOf('crosswalk_process_up')
  await running()
  process.kill(worker!, 'SIGKILL')
  expect(await ups).toMatchObject({ 'process="api-1"': 1, 'process="api-2"': 1 })
  await expect.poll(() => samplesOf('crosswalk_process_up'), patience).toEqual(allUp)
})

test('a port that is in use, and too many processes for the connections, end the start with the reason', async () => {
  const taken = await startServer({ ...env, LOG_LEVEL: 'fatal' }).ended
  expect(taken).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^(Port \d+ is taken.*\n)+$/),
  })
  const many = await startServer({ ...env, API_PROCESSES: '64', LOG_LEVEL: 'fatal' }).ended
  expect(many).toMatchObject({
    ...{ code: 1, stdout: '' },
    stderr: expect.stringMatching(
      /^API_PROCESSES=64 needs up to 1495 connections, and PostgreSQL allows \d+: .*\n$/,
    ),
  })
})

test('if the supervisor is killed, its processes end too', async () => {
  const ids = Object.values(processes())
  expect(ids).toHaveLength(3)
  server.kill('SIGKILL')
  await server.ended
  const running = () => ids.filter((id) => existsSync(`/proc/${id}/environ`))
  await expect.poll(running, patience).toEqual([])
})
