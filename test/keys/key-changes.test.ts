import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { patience } from '../support/patience.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const nowSeconds = () => Date.now() / 1000
const listed = ['api_key_id', 'name', 'mode', 'is_agency', 'created_at', 'last_used_at']

describe('reading and changing keys', () => {
  test('GET /api-keys lists all keys, newest first, without their tokens', async () => {
    const agency = await app.newAgency()
    const made = []
    for (const extra of [{}, { mode: 'test' }, { is_agency: true }]) {
      made.unshift((await agency.post('/api-keys', { name: 'Another', ...extra })).body)
    }
    const answer = await agency.get('/api-keys')
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body).sort()).toEqual(['keys', 'total'])
    expect(answer.body.total).toBe(4)
    const ids = answer.body.keys.map((key: { api_key_id: string }) => key.api_key_id)
    expect(ids).toEqual([...made.map((key) => key.api_key_id), agency.apiKeyId])
    for (const key of answer.body.keys) {
      for (const field of listed) expect(key).toHaveProperty(field)
      expect(key).not.toHaveProperty('token')
      expect(key).not.toHaveProperty('api_key_token')
    }
    for (const token of [agency.token, ...made.map((key) => key.token ?? key.api_key_token)]) {
      expect(answer.text).not.toContain(token.slice('svc_live_'.length))
      expect(answer.text).toContain(`"${token.slice(-4)}"`)
    }
    expect((await agency.get('/api-keys?limit=1')).status).toBe(422)
  })

  test('GET, PATCH and DELETE act on one API key', async () => {
    const org = await app.newOrg()
    const { body: made } = await org.post('/api-keys', { name: 'Sync' })
    const path = `/api-keys/${made.api_key_id}`
    expect((await org.get(path.toUpperCase().replace('/API-KEYS', '/api-keys'))).body.name).toBe('Sync')

    const renamed = await org.patch(path, { name: 'Nightly sync' })
    expect(renamed.body).toMatchObject({ name: 'Nightly sync', permissions: null, mode: 'live' })
    expect((await org.get(path)).body).toEqual(renamed.body)
    const client = app.client(made.api_key_token)
    expect((await client.get('/organization')).body.data.key.name).toBe('Nightly sync')

    const removed = await org.delete(path)
    expect(removed.status).toBe(204)
    expect(removed.text).toBe('')
    expect((await client.get('/organization')).status).toBe(401)
    for (const answer of [
      await org.get(path),
      await org.delete(path),
      await org.patch(path, { name: 'B' }),
    ]) {
      expect(answer.status).toBe(404)
    }
    const events = await org.get(`/events?object_id=${made.api_key_id}`)
    expect(events.body.data).toMatchObject([
      { type: 'api_key.deleted', api_key_id: org.apiKeyId },
      { type: 'api_key.updated', changed: ['name'] },
      { type: 'api_key.created' },
    ])
  })

  test('an API key may delete itself', async () => {
    const org = await app.newOrg()
    expect((await org.delete(`/api-keys/${org.apiKeyId}`)).status).toBe(204)
    expect((await org.get('/organization')).status).toBe(401)
  })

  test('an API key of another org gets the same answer as an unknown key', async () => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    for (const [method, suffix] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      const options = method === 'GET' || method === 'DELETE' ? {} : { body: {} }
      const theirs = await org.send(method, `/api-keys/${other.apiKeyId}${suffix}`, options)
      const nobodys = await org.send(method, `/api-keys/${randomUUID()}${suffix}`, options)
      expect(theirs.status).toBe(404)
      expect(theirs.text).toBe(nobodys.text)
      const malformed = await org.send(method, `/api-keys/7${suffix}`, options)
      expect(malformed.body.detail).toMatchObject([{ type: 'uuid_parsing', loc: ['path', 'api_key_id'] }])
    }
    expect((await other.get('/organization')).status).toBe(200)
  })

  test('last_used_at of an API key is null until its first use, and is set within seconds after it', async () => {
    const org = await app.newOrg()
    const { body: made } = await org.post('/api-keys', { name: 'Sync' })
    const lastUsed = async () => (await org.get(`/api-keys/${made.api_key_id}`)).body.last_used_at
    expect(await lastUsed()).toBe(null)
    const usedAt = Math.floor(nowSeconds())
    await app.client(made.api_key_token).get('/organization')
    await expect.poll(lastUsed, patience).toBeGreaterThanOrEqual(usedAt)
    expect(await lastUsed()).toBeLessThanOrEqual(nowSeconds())
  })
})
