import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { SecretKey } from '../../src/platform/secrets/secret-key.ts'
import { startTestApp, TestClient } from '../support/app.ts'
import { runAsOwner, testKey } from '../support/database.ts'
import { withClientOf } from '../support/direct-sql.ts'
import { Child, cleanUp, command, startServer } from '../support/processes.ts'

// The tests change the key of one database, one after another: from testKey to `next`, and then to `last`.
const home = await startTestApp({ role: 'api' })
afterAll(async () => {
  await cleanUp()
  await home.close({ leavesJobs: true })
})

const [next, last] = [randomBytes(32), randomBytes(32)]
const settings = (key: Buffer, old: Buffer | null) => ({
  ...{ DATABASE_URL: home.databaseUrl, ENCRYPTION_KEY: key.toString('base64'), LOG_LEVEL: 'error' },
  ...(old ? { OLD_ENCRYPTION_KEY: old.toString('base64') } : {}),
})

type Node = { server: Child; client: TestClient }

async function startNode(key: Buffer, old: Buffer | null, token: string): Promise<Node> {
  const server = startServer(settings(key, old))
  const [, address] = await server.says(/is ready at (http\S+)/)
  return { server, client: new TestClient(address!, token) }
}

async function stop({ server }: Node): Promise<void> {
  server.kill('SIGTERM')
  await server.ended
}

const change = (key: Buffer, old: Buffer | null) => command('change-key --json', settings(key, old))

/** What doctor says about the old key. */
const oldKeyIs = async (key: Buffer, old: Buffer) =>
  JSON.parse((await command('doctor --json', settings(key, old))).stdout).old_encryption_key as string

/** Stores credentials that end in `ending`. */
const store = (client: TestClient, ending: string) =>
  client.patch('/voice/settings', {
    provider: 'twilio',
    credentials: {
      account_sid: `AC${'0a'.repeat(14)}c0de`,
      auth_token: `b7d21f6f0e884c0f9d2f5c3a1e5e${ending}`,
    },
  })

/** What the API shows of the credentials: null if they do not open. */
const shown = async (client: TestClient) =>
  (await client.get('/voice/settings')).body.data.credentials?.auth_token ?? null

const keyIds = async () => {
  const rows = await runAsOwner<{ key_id: string }>(
    home.databaseUrl,
    'select distinct key_id from secret order by key_id',
  )
  return rows.map(({ key_id: id }) => id)
}

describe('a change of the encryption key while servers run', () => {
  test('each order of starting two nodes again keeps every secret readable on both, and lists can be continued', async () => {
    const org = await home.newOrg()
    for (const name of ['Ada', 'Grace', 'Alan']) await org.post('/contacts', { first_name: name })
    await home.app.close()
    let [one, two] = await Promise.all([
      startNode(testKey, null, org.token!),
      startNode(testKey, null, org.token!),
    ])
    expect((await store(one.client, '0001')).status).toBe(200)

    // A node that does not know the new key prevents the change.
    await stop(one)
    one = await startNode(next, testKey, org.token!)
    expect((await store(one.client, '0002')).status).toBe(200)
    expect(await shown(two.client)).toBe('…0002')
    const refused = await change(next, testKey)
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^Nothing was changed: processes of Crosswalk at .* do not know the new key/),
    ])
    expect(await keyIds()).toEqual([new SecretKey(testKey).id])
    expect(await oldKeyIs(next, testKey)).toMatch(/^needed: it is the active key/)

    await stop(two)
    two = await startNode(next, testKey, org.token!)
    const { body: firstPage } = await one.client.get('/contacts?limit=2')
    const changed = await change(next, testKey)
    expect([changed.stderr, JSON.parse(changed.stdout)]).toEqual([
      '',
      { changed: true, resealed: 1, unopened: [], of_another_key: 0, old_key_may_go: true },
    ])
    expect(await keyIds()).toEqual([new SecretKey(next).id])
    expect(await oldKeyIs(next, testKey)).toMatch(/^not needed any more/)
    expect([await shown(one.client), await shown(two.client)]).toEqual(['…0002', '…0002'])
    expect((await store(two.client, '0003')).status).toBe(200)
    expect(await shown(one.client)).toBe('…0003')
    const cursor = firstPage.pagination.next_cursor
    expect((await two.client.get(`/contacts?limit=2&cursor=${cursor}`)).body.data).toHaveLength(1)

    // Started again without the old key, in the other order.
    await stop(two)
    two = await startNode(next, null, org.token!)
    expect((await store(two.client, '0004')).status).toBe(200)
    expect([await shown(one.client), await shown(two.client)]).toEqual(['…0004', '…0004'])
    await Promise.all([stop(one), stop(two)])
    const old = await startServer(settings(testKey, null)).ended
    expect([old.code, old.stderr]).toEqual([1, expect.stringContaining('change-key')])
  }, 120_000)

  test('change-key refuses the same key as new and old key', async () => {
    const { code, stderr } = await change(next, next)
    expect([code, stderr]).toEqual([1, expect.stringContaining('are the same key')])
  })

  test('change-key that is killed in the middle of its work loses nothing, and the next run completes it', async () => {
    const sealed = new SecretKey(next)
    const orgIds = Array.from({ length: 900 }, () => randomUUID())
    await runAsOwner(
      home.databaseUrl,
      `insert into secret (org_id, name, key_id, sealed)
       select * from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[])`,
      [
        ...[orgIds, orgIds.map(() => 'many'), orgIds.map(() => sealed.id)],
        orgIds.map((orgId) => sealed.seal(orgId, 'many', `value of ${orgId}`)),
      ],
    )
    // Another transaction has a row of the last batch, so that the command waits there when it is killed.
    const lastId = orgIds.toSorted().at(-1)
    await withClientOf(home.databaseUrl, async (other) => {
      await other.query('begin')
      await other.query(`select from secret where org_id = $1 for update`, [lastId])
      const killed = new Child('src/cli.ts', ['change-key'], settings(last, next))
      const resealed = 'select count(*)::int as n from secret where key_id = $1'
      await expect
        .poll(
          async () =>
            (await runAsOwner<{ n: number }>(home.databaseUrl, resealed, [new SecretKey(last).id]))[0]!.n,
          { timeout: 60_000 },
        )
        .toBe(800)
      killed.kill('SIGKILL')
      await killed.ended
      await other.query('rollback')
    })
    expect(await keyIds()).toEqual([sealed.id, new SecretKey(last).id].toSorted())
    expect(await oldKeyIs(last, next)).toMatch(/^needed by 101 secrets/)
    // Without the old key, or with a wrong one, nobody says that it may go.
    for (const old of [null, randomBytes(32)]) {
      const forgotten = await change(last, old)
      expect([forgotten.code, forgotten.stderr]).toEqual([
        1,
        expect.stringMatching(
          /101 secrets are sealed with another key than ENCRYPTION_KEY.*OLD_ENCRYPTION_KEY/,
        ),
      ])
      expect(JSON.parse(forgotten.stdout)).toMatchObject({
        ...{ resealed: 0, unopened: [], of_another_key: 101, old_key_may_go: false },
      })
      const examined = await command('doctor --json', settings(last, old))
      expect([examined.code, examined.stderr]).toEqual([1, expect.stringContaining('101 secrets are sealed')])
    }
    // A node that starts with the new key alone says what to do.
    const hasty = await startNode(last, null, 'none')
    await hasty.server.says(/101 secrets are sealed with another key than ENCRYPTION_KEY\..*change-key/)
    await stop(hasty)
    const again = await change(last, next)
    expect(JSON.parse(again.stdout)).toMatchObject({ changed: false, unopened: [], old_key_may_go: true })
    const rows = await runAsOwner<{ org_id: string; name: string; key_id: string; sealed: Buffer }>(
      home.databaseUrl,
      `select org_id, name, key_id, sealed from secret where name = 'many'`,
    )
    const opened = rows.map((row) => new SecretKey(last).open(row))
    expect(opened).toEqual(rows.map(({ org_id: orgId }) => `value of ${orgId}`))
    expect(rows).toHaveLength(900)
  }, 120_000)

  test('a secret that was damaged under the old key is named once, and does not keep the old key necessary', async () => {
    const [orgId, old] = [randomUUID(), new SecretKey(next)]
    await runAsOwner(
      home.databaseUrl,
      'insert into secret (org_id, name, key_id, sealed) values ($1, $2, $3, $4)',
      [orgId, 'voice.twilio', old.id, old.seal(orgId, 'another name', 'sesame')],
    )
    const named = await change(last, next)
    expect(JSON.parse(named.stdout)).toMatchObject({
      ...{ resealed: 0, unopened: [{ org_id: orgId, name: 'voice.twilio' }], old_key_may_go: true },
    })
    expect(await oldKeyIs(last, next)).toMatch(/^not needed any more/)
    expect(JSON.parse((await change(last, next)).stdout).unopened).toEqual([])
    const examined = await command('doctor --json', settings(last, null))
    expect([examined.code, examined.stderr]).toEqual([0, ''])
    // The row stays as it is: it opens with no key.
    expect(await keyIds()).toEqual([new SecretKey(last).id])
  }, 120_000)
})
