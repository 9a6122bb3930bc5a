import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { expectWithin } from '../support/within.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const statusOf = async (token: string) => (await app.client(token).get('/organization')).status
const rotate = (by: TestOrg, apiKeyId: string, body?: unknown) =>
  by.post(`/api-keys/${apiKeyId}/rotate`, body)

describe('rotation', () => {
  test('a rotation creates a token with the same name, mode, permissions and expiry, and ends the old token', async () => {
    const org = await app.newOrg()
    const { body: old } = await org.post('/api-keys', {
      name: 'Sync',
      mode: 'test',
      permissions: ['contacts:read', 'events:read'],
      expires_in_days: 7,
    })
    expect(await statusOf(old.api_key_token)).toBe(200)
    const answer = await rotate(org, old.api_key_id)
    expect(answer.status).toBe(201)
    const { api_key_id, api_key_token, created_at, ...same } = answer.body
    expect(same).toEqual({
      name: 'Sync',
      mode: 'test',
      is_agency: false,
      permissions: ['contacts:read', 'events:read'],
      expires_at: old.expires_at,
    })
    expect(created_at).toBeGreaterThanOrEqual(old.created_at)
    expect(api_key_token).toMatch(/^svc_test_/)
    expect(await statusOf(old.api_key_token)).toBe(401)
    expect(await statusOf(api_key_token)).toBe(200)
    expect((await org.get(`/api-keys/${old.api_key_id}`)).status).toBe(404)
    const events = await org.get(`/events?object_id=${api_key_id}`)
    expect(events.body.data).toMatchObject([
      { type: 'api_key.rotated', data: { rotated_from: old.api_key_id } },
    ])
  })

  test('rotating an agency key creates an agency key, and returns the token as token', async () => {
    const agency = await app.newOrg({ isAgency: true, key: { isAgency: true } })
    const answer = await rotate(agency, agency.apiKeyId)
    expect(answer.body).toMatchObject({ is_agency: true, token: expect.stringMatching(/^svc_live_/) })
    expect(answer.body).not.toHaveProperty('api_key_token')
    expect(await statusOf(agency.token!)).toBe(401)
    expect(await statusOf(answer.body.token)).toBe(200)
  })

  test('rotating a legacy key creates a key in the current format', async () => {
    const org = await app.newOrg({ key: { legacy: true } })
    const { body } = await rotate(org, org.apiKeyId)
    expect(body.api_key_token).toMatch(/^svc_live_[0-9A-Za-z]{36}$/)
    expect(await statusOf(org.token!)).toBe(401)
  })

  test('after a rotation with a grace period, both tokens work until the period ends', async () => {
    const org = await app.newOrg()
    const now = () => Date.now() / 1000
    // On a busy machine, the grace period may end before the request is sent. Then try again with twice the time.
    for (let grace_seconds = 1; ; grace_seconds *= 2) {
      const old = await app.newKey(org.orgId)
      const [before, { body }, after] = [now(), await rotate(org, old.apiKeyId, { grace_seconds }), now()]
      const status = await statusOf(old.token!)
      if (now() >= before + grace_seconds) continue
      expect(status).toBe(200)
      expect(body.expires_at).toBe(null)
      expect(await statusOf(body.api_key_token)).toBe(200)
      const { expires_at, replaced_by_api_key_id } = (await org.get(`/api-keys/${old.apiKeyId}`)).body
      expect(replaced_by_api_key_id).toBe(body.api_key_id)
      expect(expires_at).toBeGreaterThan(before + grace_seconds - 1)
      expect(expires_at).toBeLessThan(after + grace_seconds + 1)
      await expectWithin(grace_seconds * 1_000, () => statusOf(old.token!), 401)
      expect(now()).toBeGreaterThanOrEqual(before + grace_seconds)
      expect(await statusOf(body.api_key_token)).toBe(200)
      return
    }
  })

  test('a grace period never extends the expiry of a key', async () => {
    const org = await app.newOrg()
    const { body: old } = await org.post('/api-keys', { name: 'Sync', expires_in_days: 1 })
    const { body } = await rotate(org, old.api_key_id, { grace_seconds: 604_800 })
    expect(body.expires_at).toBe(old.expires_at)
    expect((await org.get(`/api-keys/${old.api_key_id}`)).body.expires_at).toBe(old.expires_at)
  })

  test.each([-1, 604_801, 1.5, 'soon', null])(
    'POST /api-keys/{api_key_id}/rotate refuses a grace period of %j',
    async (grace_seconds) => {
      const org = await app.newOrg()
      const answer = await rotate(org, org.apiKeyId, { grace_seconds })
      expect(answer.status).toBe(422)
      expect(answer.body.detail).toMatchObject([{ loc: ['body', 'grace_seconds'] }])
      expect(await statusOf(org.token!)).toBe(200)
    },
  )

  test('a rotated key cannot be rotated again, because its successor would expire with the grace period', async () => {
    const org = await app.newOrg()
    const old = await app.newKey(org.orgId)
    const first = await rotate(org, old.apiKeyId, { grace_seconds: 60 })
    const again = await rotate(org, old.apiKeyId, { grace_seconds: 60 })
    expect(again.status).toBe(409)
    expect(again.body.detail).toContain(first.body.api_key_id)
    expect((await rotate(org, first.body.api_key_id, { grace_seconds: 60 })).status).toBe(201)
  })

  test('a second rotation gets a 409 that names the successor, even after the grace period', async () => {
    const org = await app.newOrg()
    const old = await app.newKey(org.orgId)
    const first = await rotate(org, old.apiKeyId, { grace_seconds: 60 })
    await runAsOwner(
      app.databaseUrl,
      `update api_key set expires_at = now() - interval '1 second' where api_key_id = $1`,
      [old.apiKeyId],
    )
    const again = await rotate(org, old.apiKeyId)
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining(first.body.api_key_id)])
  })

  test('a second rotation gets 404 if the first rotation had no grace period', async () => {
    const org = await app.newOrg()
    const old = await app.newKey(org.orgId)
    expect((await rotate(org, old.apiKeyId)).status).toBe(201)
    expect((await rotate(org, old.apiKeyId)).status).toBe(404)
  })

  test('an expired key cannot be rotated', async () => {
    const org = await app.newOrg()
    const old = await app.newKey(org.orgId, { expiresAt: new Date(Date.now() - 1_000) })
    const answer = await rotate(org, old.apiKeyId)
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toContain('expired')
  })

  test.each([0, 60])(
    'of many concurrent rotations with a grace period of %d s, exactly one succeeds',
    async (grace_seconds) => {
      const org = await app.newOrg()
      const old = await app.newKey(org.orgId)
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => rotate(org, old.apiKeyId, { grace_seconds })),
      )
      const made = answers.filter(({ status }) => status === 201)
      expect(made).toHaveLength(1)
      for (const { status } of answers) expect([201, 404, 409]).toContain(status)
      expect(await statusOf(made[0]!.body.api_key_token)).toBe(200)
      expect((await org.get('/api-keys')).body.total).toBe(grace_seconds === 0 ? 2 : 3)
    },
  )
})

describe('concurrency', () => {
  test('a concurrent change of a key’s name does not restore removed permissions', async () => {
    for (let round = 0; round < 10; round++) {
      const org = await app.newOrg()
      const key = await app.newKey(org.orgId)
      const path = `/api-keys/${key.apiKeyId}`
      await Promise.all([
        org.patch(path, { name: 'Renamed' }),
        org.patch(path, { permissions: ['events:read'] }),
      ])
      expect((await org.get(path)).body).toMatchObject({ name: 'Renamed', permissions: ['events:read'] })
      expect((await key.get('/contacts')).status).toBe(403)
    }
  })

  test('if two requests delete an API key concurrently, the second gets 404', async () => {
    const org = await app.newOrg()
    const key = await app.newKey(org.orgId)
    const answers = await Promise.all([1, 2, 3].map(() => org.delete(`/api-keys/${key.apiKeyId}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404])
  })
})
