import { afterAll, describe, expect, inject, test } from 'vitest'
import { deleteKey } from '../../src/keys/keys.ts'
import { linkOrgs, unlinkOrgs } from '../../src/orgs/operator.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { patience } from '../support/patience.ts'
import { expectWithin } from '../support/within.ts'

// Two processes with one database serve the API.
const here = await startTestApp({ trustProxy: true })
const there = await startTestApp({ trustProxy: true }, { databaseUrl: here.databaseUrl })
afterAll(async () => {
  await there.close()
  await here.close()
})

const database = new URL(here.databaseUrl).pathname.slice(1)
const onServer = (text: string) => runAsOwner(inject('databaseUrl'), text)

const terminate = (condition: string) =>
  onServer(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = '${database}' and backend_type = 'client backend' and ${condition}`,
  )
const stopListening = () => terminate(`application_name = 'crosswalk keys'`)

const statusThere = async (key: TestOrg, path = '/organization', headers = {}) =>
  (await there.client(key.token).get(path, { headers })).status
const soon = (read: () => Promise<number>, status: number) => expectWithin(2_000, read, status)

/** A key that both processes have cached, and another key of its org. */
async function knownKey(): Promise<{ key: TestOrg; admin: TestOrg }> {
  const admin = await here.newOrg()
  const key = await here.newKey(admin.orgId)
  for (let i = 0; i < 3; i++) {
    expect((await key.get('/organization')).status).toBe(200)
    expect(await statusThere(key)).toBe(200)
  }
  return { key, admin }
}

describe('an API key that one node deletes or restricts', () => {
  test.each<[string, (key: TestOrg, admin: TestOrg) => Promise<unknown>]>([
    ['by deleting it', (key, admin) => admin.delete(`/api-keys/${key.apiKeyId}`)],
    ['by deleting it with itself', (key) => key.delete(`/api-keys/${key.apiKeyId}`)],
    ['by rotating it', (key, admin) => admin.post(`/api-keys/${key.apiKeyId}/rotate`, {})],
  ])(
    'a key that is deleted %s is refused there at once, and on the other nodes within 2 s',
    async (_how, act) => {
      const { key, admin } = await knownKey()
      await act(key, admin)
      expect((await key.get('/organization')).status).toBe(401)
      await soon(() => statusThere(key), 401)
    },
  )

  test.each<[string, (key: TestOrg, admin: TestOrg) => Promise<unknown>, number]>([
    ['deletes', (key, admin) => admin.delete(`/api-keys/${key.apiKeyId}`), 401],
    ['rotates', (key, admin) => admin.post(`/api-keys/${key.apiKeyId}/rotate`, {}), 401],
    [
      'restricts',
      (key, admin) => admin.patch(`/api-keys/${key.apiKeyId}`, { permissions: ['events:read'] }),
      403,
    ],
  ])('the node that %s a key refuses it without a notification', async (_how, act, status) => {
    const { key, admin } = await knownKey()
    await runAsOwner(here.databaseUrl, 'alter table api_key disable trigger notify_auth')
    try {
      await act(key, admin)
      expect((await key.get('/contacts')).status).toBe(status)
    } finally {
      await runAsOwner(here.databaseUrl, 'alter table api_key enable trigger notify_auth')
    }
  })

  test('an API key that the operator deletes is refused on every node within 2 s', async () => {
    const { key } = await knownKey()
    await here.operateOn(key.orgId, (tx) => deleteKey(tx, key.apiKeyId))
    await Promise.all([
      soon(async () => (await key.get('/organization')).status, 401),
      soon(() => statusThere(key), 401),
    ])
  })

  test('removing a permission of an API key applies immediately on the node that removed it, and within 2 s on the others', async () => {
    const { key, admin } = await knownKey()
    await admin.patch(`/api-keys/${key.apiKeyId}`, { permissions: ['events:read'] })
    expect((await key.get('/contacts')).status).toBe(403)
    await soon(() => statusThere(key, '/contacts'), 403)
  })

  test('an agency key cannot act on an unlinked client on any node after 2 s', async () => {
    const agency = await here.newOrg({ isAgency: true, key: { isAgency: true } })
    const client = await here.newOrg()
    const headers = { 'x-target-org-id': client.orgId }
    await here.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
    await soon(() => statusThere(agency, '/contacts', headers), 200)
    await here.operate((tx) => unlinkOrgs(tx, agency.orgId, client.orgId))
    await soon(() => statusThere(agency, '/contacts', headers), 403)
  })

  test('a deleted key is refused by other nodes even if they get no notifications', async () => {
    for (let round = 0; round < 3; round++) {
      const { key, admin } = await knownKey()
      await stopListening()
      await admin.delete(`/api-keys/${key.apiKeyId}`)
      expect((await key.get('/organization')).status).toBe(401)
      await soon(() => statusThere(key), 401)
    }
  })

  test('a node that missed a deletion while not listening does not accept the deleted key afterwards', async () => {
    const { key, admin } = await knownKey()
    await stopListening()
    expect(await statusThere(key)).toBe(200)
    await admin.delete(`/api-keys/${key.apiKeyId}`)
    await soon(() => statusThere(key), 401)
    await expect.poll(listeners, patience).toBe(2)
    const { key: other } = await knownKey()
    expect(await statusThere(other)).toBe(200)
    expect(await statusThere(key)).toBe(401)
  })

  test('a request that waits for events gets none that were written after its key was deleted', async () => {
    const { key, admin } = await knownKey()
    const { cursor } = (await key.get('/events/feed')).body.data
    const query = `types=contact.created&cursor=${cursor}&wait_seconds=`
    const wait = () => key.get(`/events/feed?${query}25`)
    const sent = Array.from({ length: 9 }, wait)
    // At most ten requests of an organization wait. This request may be one of the ten: then one of the others gets 429.
    await expect
      .poll(async () => {
        sent.push(wait())
        return (await admin.get(`/events/feed?${query}1`)).status
      }, patience)
      .toBe(429)
    await admin.delete(`/api-keys/${key.apiKeyId}`)
    await admin.post('/contacts', { first_name: 'Ada' })
    const waited = (await Promise.all(sent)).filter(({ status }) => status !== 429)
    expect(waited).toHaveLength(10)
    for (const { status, body } of waited) expect([status, body.code]).toEqual([401, 'api_key_unknown'])
  })

  test('a deleted key never works again, at any moment of the deletion', async () => {
    const { key, admin } = await knownKey()
    let refusals = 0
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    const hammer = async () => {
      while (refusals < 20) {
        const before = refusals
        // A refusal is 401, or 429 above 20 requests a second.
        if ((await statusThere(key, '/organization', headers)) !== 200) refusals++
        else if (before > 0) throw new Error('a key was accepted after it had been refused')
      }
    }
    const hammering = Promise.all([hammer(), hammer(), hammer()])
    await admin.delete(`/api-keys/${key.apiKeyId}`)
    await hammering
  })
})

async function listeners(): Promise<number> {
  const rows = await onServer(
    `select 1 from pg_stat_activity where datname = '${database}' and application_name = 'crosswalk keys'`,
  )
  return rows.length
}

describe('outages', () => {
  test('while the database refuses connections, cached API keys work until the listening connection ends', async () => {
    const { key } = await knownKey()
    const fresh = await here.newKey(key.orgId)
    const unknown = (client: TestOrg) => client.get('/nothing-here').then(({ status }) => status)
    await expect.poll(listeners, patience).toBe(2)
    await onServer(`alter database ${database} allow_connections false`)
    try {
      await terminate(`application_name <> 'crosswalk keys'`)
      // The gate accepts the request. The handler needs the database, and answers 503.
      for (let i = 0; i < 20; i++) expect(await unknown(key)).toBe(404)
      expect((await key.get('/contacts')).status).toBe(503)
      expect(await unknown(fresh)).toBe(503)
      expect((await here.stranger.get('/contacts')).status).toBe(401)
      await stopListening()
      await soon(() => unknown(key), 503)
    } finally {
      await onServer(`alter database ${database} allow_connections true`)
    }
    await expect.poll(() => unknown(key), patience).toBe(404)
    await expect.poll(async () => (await key.get('/contacts')).status, patience).toBe(200)
    expect(await unknown(fresh)).toBe(404)
  })
})
