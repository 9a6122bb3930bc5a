import { request } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { type Answer, startTestApp, TestClient, type TestOrg } from '../support/app.ts'
import { testKey } from '../support/database.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'
import { cleanUp, startServer } from '../support/processes.ts'

const app = await startTestApp()
afterAll(async () => {
  await cleanUp()
  await app.close()
})

const post = (org: TestClient): Promise<Answer> =>
  org.post('/contacts', { email: 'ada@example.com' }, { headers: { 'idempotency-key': 'k' } })

const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true'

/** The numbers of the org's contacts, their events, and stored answers. */
async function traces(org: TestOrg): Promise<number[]> {
  const counted = ['contact', 'contact_key', 'idempotency_key', 'idempotency_object']
  const rows = await app.operate((tx) =>
    Promise.all(
      [...counted, `event where type = 'contact.created' and true`].map((table) =>
        tx.first<{ count: number }>({
          text: `select count(*)::int from ${table}${table.includes('where') ? ' and' : ' where'} org_id = $1`,
          values: [org.orgId],
        }),
      ),
    ),
  )
  return rows.map((row) => row!.count)
}

/** Runs `work`. Meanwhile, PostgreSQL runs `act` before it stores an answer, or when that transaction commits. */
function whenStored<Result>(when: string, act: string, work: () => Promise<Result>): Promise<Result> {
  return withClient(app, async (client) => {
    await client.query(`
      create sequence app.stored_count;
      grant usage on sequence app.stored_count to crosswalk_app;
      create function app.when_stored() returns trigger language plpgsql as $$ begin ${act} return new; end $$;
      create ${when} for each row execute function app.when_stored()`)
    try {
      return await work()
    } finally {
      await client.query('drop function app.when_stored cascade; drop sequence app.stored_count')
    }
  })
}

const beforeStored = 'trigger when_stored before insert on idempotency_key'
const atCommit =
  'constraint trigger when_stored after insert on idempotency_key deferrable initially deferred'
const die = 'perform pg_terminate_backend(pg_backend_pid());'
const nothing = [0, 0, 0, 0, 0]
const one = [1, 1, 1, 1, 1]

describe('a connection that breaks', () => {
  test.each([
    ['before the answer is stored', beforeStored],
    ['at COMMIT', atCommit],
  ])(
    'a request whose connection breaks %s changes nothing, and leaves the key free',
    async (_when, trigger) => {
      const org = await app.newOrg()
      const broken = await whenStored(trigger, die, () => post(org))
      expect(broken.status).toBe(503)
      expect(await traces(org)).toEqual(nothing)
      const retry = await post(org)
      expect([retry.status, isReplay(retry)]).toEqual([201, false])
      expect(await traces(org)).toEqual(one)
    },
  )

  test('if the client’s connection breaks after the commit, a retry gets the stored answer', async () => {
    const org = await app.newOrg()
    await whenStored(beforeStored, 'perform pg_advisory_xact_lock(77);', () =>
      withClient(app, async (client) => {
        await client.query('select pg_advisory_lock(77)')
        const sending = request(`${app.address}/contacts`, {
          method: 'POST',
          headers: { authorization: `Bearer ${org.token}`, 'idempotency-key': 'k' },
        })
        sending.on('error', () => {}).end('{"email":"ada@example.com"}')
        await untilBlocked(client)
        await new Promise((resolve) => sending.on('close', resolve).destroy())
      }),
    )
    await expect.poll(() => traces(org), patience).toEqual(one)
    expect(isReplay(await post(org))).toBe(true)
  })
})

test('a request whose process SIGKILL ends changes nothing, and a retry of a running request gets 409', async () => {
  const org = await app.newOrg()
  const server = startServer({ DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: testKey.toString('base64') })
  const [address] = await server.says(/http:\/\/127\.0\.0\.1:\d+/)
  await whenStored(beforeStored, 'perform pg_advisory_xact_lock(77);', () =>
    withClient(app, async (client) => {
      await client.query('select pg_advisory_lock(77)')
      const lost = post(new TestClient(address!, org.token)).catch((error: Error) => error)
      await untilBlocked(client)
      const meanwhile = await post(org)
      expect([meanwhile.status, meanwhile.headers.get('retry-after')]).toEqual([409, '1'])
      expect(meanwhile.body.detail).toContain('running right now')
      server.kill('SIGKILL')
      expect(await lost).toBeInstanceOf(Error)
      // Twice a second, PostgreSQL checks whether the client of a statement is still connected.
      await expect.poll(async () => (await client.query(waiting)).rows, patience).toEqual([])
    }),
  )
  expect(await traces(org)).toEqual(nothing)
  const retry = await post(org)
  expect([retry.status, isReplay(retry)]).toEqual([201, false])
  expect(await traces(org)).toEqual(one)
})

const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

test('after a deadlock, the whole request runs again and takes effect once', async () => {
  const org = await app.newOrg()
  const act = `if nextval('app.stored_count') < 3 then raise exception 'lost' using errcode = 'deadlock_detected'; end if;`
  const answer = await whenStored(beforeStored, act, () => post(org))
  expect([answer.status, isReplay(answer)]).toEqual([201, false])
  expect(await traces(org)).toEqual(one)
  expect((await post(org)).text).toBe(answer.text)
})
