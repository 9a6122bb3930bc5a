import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { newMember } from '../support/members.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const create = async (org: { post: Awaited<ReturnType<typeof app.newOrg>>['post'] }, body: object = {}) => {
  const answer = await org.post('/write-keys', { name: 'Site', ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

describe('write keys', () => {
  test('a new write key has the defaults, and every read shows the key', async () => {
    const org = await app.newOrg()
    const answer = await org.post('/write-keys', { name: ' Site ' })
    expect(answer.status, answer.text).toBe(201)
    const made = answer.body.data
    expect(made).toEqual({
      write_key_id: expect.any(String),
      key: expect.stringMatching(/^wk_live_[0-9A-Za-z]{28}$/),
      name: 'Site',
      mode: 'live',
      origins: [],
      purposes: ['track', 'identify'],
      limits: { events_per_second: 500, events_per_day: 10_000_000 },
      old_key: null,
      old_key_expires_at: null,
      last_seen_at: null,
      version: 1,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    })
    expect(answer.headers.get('etag')).toBe('"1"')
    expect((await org.get(`/write-keys/${made.write_key_id}`)).body.data).toEqual(made)
    const later = await create(org)
    expect((await org.get('/write-keys')).body.data).toEqual([later, made])
    expect(later.key).not.toBe(made.key)
  })

  test('a write key has the requested mode, or by default the mode of the caller', async () => {
    const org = await app.newOrg()
    const testKey = await app.newKey(org.orgId, { mode: 'test' })
    expect(await create(testKey)).toMatchObject({ mode: 'test', key: expect.stringMatching(/^wk_test_/) })
    expect(await create(testKey, { mode: 'live' })).toMatchObject({ mode: 'live' })
  })

  test('a change of a write key affects only the given fields, and equal values change nothing', async () => {
    const org = await app.newOrg()
    const { write_key_id: id, key } = await create(org, { limits: { events_per_day: 9 } })
    const path = `/write-keys/${id}`
    const body = {
      origins: ['https://A.example.com/', 'https://a.example.com:443'],
      limits: { events_per_second: 3 },
    }
    const { data } = (await org.patch(path, body)).body
    expect(data).toMatchObject({
      key,
      origins: ['https://a.example.com'],
      purposes: ['track', 'identify'],
      limits: { events_per_second: 3, events_per_day: 9 },
      version: 2,
    })
    expect((await org.patch(path, body)).body.data).toEqual(data)
    const events = (await org.get(`/events?object_id=${id}`)).body.data
    expect(events.map(({ type, changed }: { type: string; changed: unknown }) => [type, changed])).toEqual([
      ['write_key.updated', ['origins', 'limits']],
      ['write_key.created', null],
    ])
    const stale = await org.patch(path, { name: 'Other' }, { headers: { 'if-match': '"1"' } })
    expect(stale.status).toBe(409)
  })

  test.each([
    ['https://www.example.com', 'https://www.example.com'],
    ['HTTPS://WWW.Example.COM:443/', 'https://www.example.com'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://*.example.com', 'https://*.example.com'],
    ['https://[::1]:8443', 'https://[::1]:8443'],
  ])('the origin %s is stored as %s', async (sent, stored) => {
    expect((await create(await app.newOrg(), { origins: [sent] })).origins).toEqual([stored])
  })

  test.each([
    'example.com',
    '*',
    'https://*',
    'https://*.com:x',
    'https://*.localhost',
    'https://*.10.0.0.1',
    'https://www.*.example.com',
    'https://example.com/path',
    'https://example.com?x',
    'https://user@example.com',
    'ftp://example.com',
    'null',
    'https://',
  ])('the origin %s is refused', async (origin) => {
    const org = await app.newOrg()
    const answer = await org.post('/write-keys', { name: 'Site', origins: [origin] })
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0].loc).toEqual(['body', 'origins', 0])
  })

  test.each([
    [{}],
    [{ name: '' }],
    [{ name: 'x', purposes: [] }],
    [{ name: 'x', purposes: ['read'] }],
    [{ name: 'x', limits: { events_per_second: 0 } }],
    [{ name: 'x', limits: { events_per_day: 1e9 } }],
    [{ name: 'x', limits: { events: 1 } }],
    [{ name: 'x', key: 'wk_live_mine' }],
  ])('the body %j is refused', async (body) => {
    expect((await (await app.newOrg()).post('/write-keys', body)).status).toBe(422)
  })

  test('an organization has at most 100 write keys', async () => {
    const org = await app.newOrg()
    const answers = await Promise.all(
      Array.from({ length: 104 }, () => org.post('/write-keys', { name: 'x' })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [409, 'limit_reached']),
    )
  })

  test('a deleted write key is a 404, and its event remains', async () => {
    const org = await app.newOrg()
    const { write_key_id: id } = await create(org)
    expect((await org.delete(`/write-keys/${id}`)).status).toBe(204)
    expect((await org.get(`/write-keys/${id}`)).status).toBe(404)
    expect((await org.delete(`/write-keys/${id}`)).status).toBe(404)
    const [latest] = (await org.get(`/events?object_id=${id}`)).body.data
    expect(latest).toMatchObject({ type: 'write_key.deleted', object_id: id })
  })

  test('a sandbox has only test keys', async () => {
    const org = await app.newOrg()
    const made = await org.post('/organization/sandboxes', { name: 'Trial' })
    const sandbox = app.client(made.body.data.api_key_token)
    expect((await create(sandbox)).mode).toBe('test')
    const live = await sandbox.post('/write-keys', { name: 'Site', mode: 'live' })
    expect([live.status, live.body.code]).toEqual([403, 'not_in_sandbox'])
  })
})

describe('rotation', () => {
  test('a rotation replaces the key, and the old key is accepted for 7 days', async () => {
    const org = await app.newOrg()
    const old = await create(org)
    const before = Math.floor(Date.now() / 1000)
    const { status, body } = await org.post(`/write-keys/${old.write_key_id}/rotate`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ write_key_id: old.write_key_id, old_key: old.key, version: 2 })
    expect(body.data.key).not.toBe(old.key)
    expect(body.data.old_key_expires_at).toBeGreaterThanOrEqual(before + 604_800)
    expect(body.data.old_key_expires_at).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 604_800)
    const [latest] = (await org.get(`/events?object_id=${old.write_key_id}`)).body.data
    expect(latest).toMatchObject({ type: 'write_key.rotated', data: null })
  })

  test('a second rotation within the grace period is refused, unless it refuses all older keys at once', async () => {
    const org = await app.newOrg()
    const path = `/write-keys/${(await create(org)).write_key_id}/rotate`
    const first = (await org.post(path, { grace_seconds: 7_776_000 })).body.data
    const second = await org.post(path, { grace_seconds: 1 })
    expect([second.status, second.body.code]).toEqual([409, 'rotation_pending'])
    const { data } = (await org.post(path, { grace_seconds: 0 })).body
    expect(data).toMatchObject({ old_key: null, old_key_expires_at: null })
    expect(data.key).not.toBe(first.key)
    expect((await org.post(path, { grace_seconds: 7_776_001 })).status).toBe(422)
  })

  test('an expired old key is no longer shown, and does not prevent the next rotation', async () => {
    const org = await app.newOrg()
    const { write_key_id: id } = await create(org)
    const { key } = (await org.post(`/write-keys/${id}/rotate`)).body.data
    const past = `update write_key set old_key_expires_at = now() - interval '1 second' where write_key_id = $1`
    await runAsOwner(app.databaseUrl, past, [id])
    const shown = (await org.get(`/write-keys/${id}`)).body.data
    expect(shown).toMatchObject({ key, old_key: null, old_key_expires_at: null })
    expect((await org.post(`/write-keys/${id}/rotate`)).body.data.old_key).toBe(key)
  })
})

describe('permissions', () => {
  test('reading write keys needs tracking:read, and every change needs tracking:manage', async () => {
    const org = await app.newOrg()
    const { write_key_id: id } = await create(org)
    const reader = await app.newKey(org.orgId, { permissions: ['tracking:write'] })
    const other = await app.newKey(org.orgId, { permissions: ['contacts:manage'] })
    expect((await reader.get(`/write-keys/${id}`)).status).toBe(200)
    expect((await other.get('/write-keys')).status).toBe(403)
    const changes = [
      await reader.post('/write-keys', { name: 'x' }),
      await reader.patch(`/write-keys/${id}`, { name: 'x' }),
      await reader.post(`/write-keys/${id}/rotate`),
      await reader.delete(`/write-keys/${id}`),
    ]
    expect(changes.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  })

  test('an admin manages write keys in the console, and a viewer reads them', async () => {
    const { orgId } = await app.newOrg()
    const [admin, viewer] = [await newMember(app, orgId, 'admin'), await newMember(app, orgId, 'viewer')]
    const { write_key_id: id } = await create(admin)
    expect((await viewer.get(`/write-keys/${id}`)).status).toBe(200)
    expect((await viewer.post(`/write-keys/${id}/rotate`)).status).toBe(403)
    expect((await admin.delete(`/write-keys/${id}`)).status).toBe(204)
  })

  test('an organization can neither read nor change a write key of another organization', async () => {
    const { write_key_id: id } = await create(await app.newOrg())
    const other = await app.newOrg()
    const answers = [
      await other.get(`/write-keys/${id}`),
      await other.patch(`/write-keys/${id}`, { name: 'x' }),
      await other.post(`/write-keys/${id}/rotate`),
      await other.delete(`/write-keys/${id}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect((await other.get('/write-keys')).body.data).toEqual([])
  })
})
