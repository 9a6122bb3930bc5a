import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { startEmbedded } from '../../src/platform/db/embedded/embedded.ts'
import { createLog } from '../../src/platform/log.ts'
import { type Answer, newOrgOn, startTestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { testKey } from '../support/database.ts'
import { startOn } from '../support/exercise.ts'
import { cleanUp, newDataDir } from '../support/processes.ts'

const post = (org: TestClient, path: string, body: unknown, key: string): Promise<Answer> =>
  org.post(path, body, { headers: { 'idempotency-key': key } })

describe('stored secrets', async () => {
  const app = await startTestApp()
  afterAll(() => app.close())

  const make: [string, (org: TestOrg) => Promise<[string, unknown]>][] = [
    ['a new key', async () => ['/api-keys', { name: 'Made' }]],
    ['a new agency key', async () => ['/api-keys', { name: 'Made', is_agency: true }]],
    [
      'a rotated key',
      async (org) => {
        const { api_key_id } = (await org.post('/api-keys', { name: 'Old' })).body
        return [`/api-keys/${api_key_id}/rotate`, { grace_seconds: 0 }]
      },
    ],
  ]

  test.each(make)(
    'a secret in a stored answer is shown again only to the API key that created it: %s',
    async (_what, prepare) => {
      const org = await app.newAgency()
      const [path, body] = await prepare(org)
      const first = await post(org, path, body, 'k')
      expect(first.status).toBe(201)
      const retry = await post(org, path, body, 'k')
      expect([retry.text, retry.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
      const secret = first.body.api_key_token ?? first.body.token
      expect((await app.client(secret).get('/organization')).status).toBe(200)
      const colleague = await app.newKey(org.orgId)
      const refused = await post(colleague, path, body, 'k')
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([409, null])
      expect(refused.body.detail).toContain(first.body.api_key_id)
      expect(refused.body.detail).toContain('shown only to the API key that sent the request')
      expect((await org.get('/api-keys')).body.keys).toHaveLength(
        (await colleague.get('/api-keys')).body.total,
      )
    },
  )

  test('a secret in a stored answer is not shown to the successor of a rotated API key', async () => {
    const org = await app.newOrg()
    const first = await post(org, `/api-keys/${org.apiKeyId}/rotate`, { grace_seconds: 60 }, 'k')
    expect((await post(org, `/api-keys/${org.apiKeyId}/rotate`, { grace_seconds: 60 }, 'k')).text).toBe(
      first.text,
    )
    const successor = app.client(first.body.api_key_token)
    const refused = await post(successor, `/api-keys/${org.apiKeyId}/rotate`, { grace_seconds: 60 }, 'k')
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining(first.body.api_key_id),
    ])
  })

  test('no refusal contains a secret, so refusals are stored unencrypted', async () => {
    const org = await app.newOrg()
    const path = `/api-keys/${crypto.randomUUID()}/rotate`
    const first = await post(org, path, {}, 'k')
    const retry = await post(await app.newKey(org.orgId), path, {}, 'k')
    expect([first.status, retry.status, retry.text]).toEqual([404, 404, first.text])
  })
})

function filesWith(folder: string, bytes: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(bytes))
}

test('the database’s files and its write-ahead log contain no secret of an answer', async () => {
  const dataDir = newDataDir()
  const postgres = await startEmbedded({ dataDir, log: createLog('silent'), role: 'server' })
  const app = await startOn(postgres.url, testKey)
  afterAll(async () => {
    await app.close()
    await postgres.stop('fast')
    await cleanUp()
  })
  const org = await newOrgOn(app)
  const made = await post(org, '/api-keys', { name: 'Nameplanted' }, 'k')
  const rotated = await post(org, `/api-keys/${made.body.api_key_id}/rotate`, {}, 'k')
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('checkpoint')
  await client.end()
  // Search for a known value too: if the search cannot find it in the table and the log, the test proves nothing.
  expect(filesWith(dataDir, 'Nameplanted').length).toBeGreaterThan(1)
  for (const { status, body } of [made, rotated]) {
    expect(status).toBe(201)
    const random = body.api_key_token.slice('svc_live_'.length)
    for (const part of [random, random.slice(0, 12), Buffer.from(random).toString('hex')])
      expect(filesWith(dataDir, part)).toEqual([])
  }
})
