import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { App } from '../../src/app.ts'
import { startEmbedded } from '../../src/platform/db/embedded/embedded.ts'
import { createLog } from '../../src/platform/log.ts'
import { type Answer, newOrgOn, TestClient, type TestOrg } from '../support/app.ts'
import { startOn } from '../support/exercise.ts'
import { expireHeartbeats } from '../support/jobs/expire-heartbeats.ts'
import { freshKey, installedPostgres, OwnPostgres } from '../support/own-postgres.ts'
import { patience } from '../support/patience.ts'
import { freeze, thaw } from '../support/postgres-processes.ts'
import { expectWithin } from '../support/within.ts'

/** A database that the test can stop under a running server. */
type Server = {
  url: string
  start(): Promise<void>
  stop(): Promise<void>
  remove(): Promise<void>
  /** The id of its first process; undefined: the embedded server, which is not frozen. */
  pid?: number
}

async function embeddedServer(): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crosswalk-away-'))
  const begin = () => startEmbedded({ dataDir, log: createLog('silent'), role: 'server' })
  let running = await begin()
  return {
    url: running.url,
    stop: () => running.stop('fast'),
    async start() {
      running = await begin()
    },
    async remove() {
      await running.stop('fast')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function ownServer(): Promise<Server> {
  const own = await OwnPostgres.create(installed!)
  await own.run('postgres', 'create database crosswalk')
  return {
    url: own.url('crosswalk'),
    start: () => own.start(),
    stop: () => own.stop(),
    remove: () => own.remove(),
    get pid() {
      return own.pid
    },
  }
}

/** Makes the import of one address wait as long as `owner` is connected. */
async function holdUp(owner: Client, email: string): Promise<void> {
  await owner.query('select pg_advisory_lock(77)')
  await owner.query(`
    create function hold_up() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(77); return new; end $$;
    create trigger hold_up before insert on contact for each row when (new.email = '${email}')
      execute function hold_up()`)
}

const [installed] = installedPostgres()
const servers: [string, () => Promise<Server>, boolean][] = [
  ['the embedded PostgreSQL', embeddedServer, true],
]
if (installed) servers.push([`PostgreSQL ${installed.version} over TCP`, ownServer, false])

const tight = { appConnections: 4, connectionWaitMs: 1_000, statementTimeoutMs: 1_000 }
const key = freshKey()
const unhandled = vi.fn()
for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, unhandled)
afterAll(() => {
  for (const event of ['unhandledRejection', 'uncaughtException']) process.off(event, unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

describe.each(servers)('an outage of %s', (_name, create, interruptsImport) => {
  let server: Server
  let app: App
  let org: TestOrg
  let stranger: TestClient
  beforeAll(async () => {
    server = await create()
    app = await startOn(server.url, key)
    org = await newOrgOn(app)
    stranger = new TestClient(app.address!, null)
  })
  afterAll(async () => {
    await app?.close()
    await server?.remove()
  })

  const open = (path: string) => stranger.get(path, { prefix: '' })
  async function beginImport(count: number): Promise<string> {
    const raw = `email\n${Array.from({ length: count }, (_, n) => `person-${n}@example.com`).join('\n')}`
    const headers = { 'content-type': 'text/csv' }
    return (await org.send('POST', '/contacts/imports', { raw, headers })).body.data.import_id
  }
  const progress = async (importId: string) => (await org.get(`/imports/${importId}`)).body.data
  const answersAgain = () => expect.poll(async () => (await org.get('/contacts')).status, patience).toBe(200)
  function expectAway({ status, headers, body }: Answer): void {
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body).toEqual({
      detail: expect.stringMatching(/^The (connection to the )?database /),
      code: expect.stringMatching(/^(database_unavailable|outcome_unknown)$/),
    })
  }
  async function startHurried(): Promise<App> {
    const hurried = await startOn(server.url, key, { limits: tight })
    onTestFinished(() => hurried.close())
    return hurried
  }
  /** The test's own connection, as the migrating role. */
  async function owner(): Promise<Client> {
    const client = new Client({ connectionString: server.url })
    client.on('error', () => {})
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }

  test('while PostgreSQL is stopped, every endpoint except /healthz answers 503, and each works again after its start', async () => {
    const { contact_id } = (await org.post('/contacts', { email: 'ada@example.com' })).body.data
    const rows = interruptsImport ? 4_500 : 1
    if (interruptsImport) await holdUp(await owner(), `person-${rows - 1}@example.com`)
    const long = await beginImport(rows)
    await expect.poll(async () => (await progress(long)).counts.rows_read, patience).toBeGreaterThan(0)
    if (interruptsImport) expect((await progress(long)).status).toBe('running')
    const unseen = await newOrgOn(app)
    await server.stop()
    // The key cache answers until 2 s have passed without a listening connection.
    for (const until = performance.now() + 2_500; performance.now() < until; await delay(25)) {
      expectAway(await org.get('/contacts'))
      expectAway(await org.post('/contacts', { email: 'grace@example.com' }))
      expectAway(await org.patch(`/contacts/${contact_id}`, { city: 'London' }))
      expectAway(await unseen.get('/contacts'))
      expect((await open('/readyz')).status).toBe(503)
      expect((await open('/healthz')).status).toBe(200)
    }
    expect((await open('/metrics')).text).toMatch(
      /^crosswalk_database_up 0$(?:.*\n)*?^crosswalk_duplicate_checks Nan$/m,
    )
    await server.start()
    await answersAgain()
    expect((await open('/readyz')).status).toBe(200)
    expect((await open('/metrics')).text).toMatch(
      /^crosswalk_database_up 1$(?:.*\n)*?^crosswalk_duplicate_checks \d+$/m,
    )
    expect((await org.get(`/contacts/${contact_id}`)).body.data.city).toBeNull()
    expect((await org.post('/contacts', { email: 'alan@example.com' })).status).toBe(201)
    // Jobs run again. The interrupted job continues when its old worker counts as dead. No row is lost or doubled.
    const short = await beginImport(3)
    await expect.poll(async () => (await progress(short)).status, patience).toBe('succeeded')
    await expireHeartbeats(server.url)
    await expect.poll(async () => (await progress(long)).status, patience).toBe('succeeded')
    expect((await org.get('/contacts?limit=1')).body.pagination.total).toBe(rows + 5)
    const other = await newOrgOn(app)
    expect((await other.get('/organization')).status).toBe(200)
    await (await owner()).query('delete from api_key where api_key_id = $1', [other.apiKeyId])
    await expectWithin(2_000, async () => (await other.get('/organization')).status, 401)
  })

  test('while database connections are killed repeatedly, each answer is true and no change is incomplete', async () => {
    const fresh = await newOrgOn(app)
    const killer = await owner()
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    const answers: Answer[] = []
    const writer = async (name: string) => {
      for (let n = 0; n < 40; n++) {
        const count = answers.push(
          await fresh.post('/contacts', { email: `${name}-${n}@example.com`, tags: ['a'] }),
        )
        if (count % 6 === 1) await killer.query(kill)
      }
    }
    await Promise.all(['a', 'b', 'c', 'd'].map(writer))
    const created = answers.filter(({ status }) => status === 201)
    const failed = answers.filter(({ status }) => status !== 201)
    expect(created.length).toBeGreaterThan(0)
    expect(failed.length).toBeGreaterThan(0)
    for (const answer of failed) expectAway(answer)
    const unknown = failed.filter(({ body }) => body.code === 'outcome_unknown')
    await answersAgain()
    const { rows } = await killer.query(
      `select c.contact_id as id, count(e)::int as events,
         (select count(*)::int from contact_key k where k.contact_id = c.contact_id) as keys
       from contact c left join event e on e.object_id = c.contact_id where c.org_id = $1 group by c.contact_id`,
      [fresh.orgId],
    )
    expect(rows.every(({ events, keys }) => events === 1 && keys === 2)).toBe(true)
    const ids = new Set(rows.map(({ id }) => id))
    for (const { body } of created) expect(ids).toContain(body.data.contact_id)
    expect(ids.size).toBeLessThanOrEqual(created.length + unknown.length)
    expect((await fresh.get('/contacts')).body.pagination.total).toBe(ids.size)
  })

  test('while PostgreSQL is slow and all connections are in use, requests wait for a bounded time and then get 503', async () => {
    const client = new TestClient((await startHurried()).address!, org.token)
    await expect.poll(async () => (await client.get('/contacts')).status, patience).toBe(200)
    const locker = await owner()
    await locker.query('begin; lock table contact in access exclusive mode')
    const startedAt = performance.now()
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.get('/contacts')))
    for (const { status, headers, body } of answers) {
      expect([status, headers.get('retry-after')]).toEqual([503, '2'])
      expect(body.detail).toMatch(/^(The database |Too many requests of this organization )/)
    }
    expect(performance.now() - startedAt).toBeLessThan(6_000)
    expect((await open('/readyz')).status).toBe(200)
    await locker.query('rollback')
    await expect.poll(async () => (await client.get('/contacts')).status, patience).toBe(200)
  })

  if (!interruptsImport)
    test('while PostgreSQL does not respond, requests wait for a bounded time and get 503, and later work again', async () => {
      const address = (await startHurried()).address!
      const client = new TestClient(address, org.token)
      await expect.poll(async () => (await client.get('/contacts')).status, patience).toBe(200)
      freeze(server.pid!)
      try {
        const answers = await Promise.all(Array.from({ length: 6 }, () => client.get('/contacts')))
        expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(503))
        const ready = await new TestClient(address, null).get('/readyz', { prefix: '' })
        expect(ready.status).toBe(503)
      } finally {
        thaw(server.pid!)
      }
      await expect.poll(async () => (await client.get('/contacts')).status, patience).toBe(200)
    })
})
