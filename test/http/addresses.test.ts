import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const org = await app.newOrg()

/** Sends what fetch refuses: any method, and the path unchanged. */
function sendRaw(method: string, path: string): Promise<{ status: number; allow: string | undefined }> {
  const { hostname, port } = new URL(app.address)
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, headers: { authorization: `Bearer ${org.token}` } },
      (response) => {
        response.resume()
        resolve({ status: response.statusCode!, allow: response.headers.allow })
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

describe('forms of an address', () => {
  test('every endpoint accepts an absolute URL in the request line (RFC 9112, section 3.2.2)', async () => {
    for (const target of [`${app.address}/v1/contacts?limit=1`, 'HTTP://any.example/api/v1/contacts'])
      expect((await sendRaw('GET', target)).status).toBe(200)
    expect((await sendRaw('GET', 'http://any.example/nothing')).status).toBe(404)
  })

  test.each(['', '/v1', '/api/v1'])(
    'every endpoint answers under the prefix %j, with and without a slash at the end',
    async (prefix) => {
      for (const path of [
        '/contacts',
        '/contacts/',
        '/api-keys',
        '/api-keys/',
        '/organization',
        '/organization/',
      ]) {
        expect((await org.get(path, { prefix })).status).toBe(200)
      }
      const created = await org.post('/api-keys', { name: 'Sync' }, { prefix })
      expect(created.status).toBe(201)
      const again = await org.post('/api-keys/', { name: 'Sync' }, { prefix })
      expect(again.status).toBe(201)
      expect((await org.get(`/api-keys/${created.body.api_key_id}/`, { prefix })).status).toBe(200)
    },
  )

  test('every endpoint accepts a query after a trailing slash', async () => {
    await org.post('/contacts', { email: 'ada@example.com' })
    expect((await org.get('/contacts/?limit=1')).body.pagination.limit).toBe(1)
  })
})

describe('wrong paths and methods', () => {
  test.each([
    ['/nothing-here', null],
    ['/contactsx', '/contacts'],
    ['/contact?limit=1', '/contacts'],
    ['/Contacts', '/contacts'],
    ['/api/v1/contacts', '/contacts'],
    ['/v2/contacts', '/contacts'],
    [`/contact/${randomUUID()}`, '/contacts/{contact_id}'],
    [`/crm-sync/jobs/${randomUUID()}`, '/integrations/crm-sync/jobs/{job_id}'],
    ['/signatures/mailbox/7/push', '/signatures/mailboxes/{mailbox_id}/push'],
    [`/organization/${randomUUID()}`, null],
    ['/%zz', null],
    ['//contacts', '/contacts'],
    [`/${'x'.repeat(10_000)}`, null],
  ])('with a valid key, %s gets 404, and the answer names the nearest path: %s', async (path, nearest) => {
    const answer = await org.get(path)
    expect(answer.status).toBe(404)
    const detail = nearest === null ? 'Not Found' : `Not Found. The nearest path is ${nearest}`
    expect(answer.body).toEqual({ detail, code: 'path_not_found' })
  })

  test.each([
    [
      '/agency',
      '/agency/clients, /agency/clients/{org_id}, /agency/invitations, /agency/invitations/{invitation_id}, /agency/usage …',
    ],
    ['/signatures/rollouts/', '/signatures/rollouts/{rollout_id}'],
    ['/webhooks/replays', '/webhooks/replays/{replay_id}, /webhooks/replays/{replay_id}/cancel'],
  ])(
    'with a valid key, %s gets 404, and the answer names the paths that begin with it',
    async (path, below) => {
      const { status, body } = await org.get(path)
      expect([status, body.detail]).toEqual([404, `Not Found. Paths that begin with it: ${below}`])
    },
  )

  test.each([
    ['PUT', '/contacts', 'GET, HEAD, OPTIONS, POST, QUERY'],
    ['DELETE', '/contacts', 'GET, HEAD, OPTIONS, POST, QUERY'],
    ['POST', '/organization', 'GET, HEAD, OPTIONS, PATCH'],
    ['HEAD', '/contacts/batch', 'OPTIONS, POST'],
    ['PATCH', '/agency/clients', 'GET, HEAD, OPTIONS, POST'],
    ['POST', `/api-keys/${randomUUID()}`, 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['GET', `/api-keys/${randomUUID()}/rotate`, 'OPTIONS, POST'],
    ['TRACE', '/contacts', 'GET, HEAD, OPTIONS, POST, QUERY'],
    ['PROPFIND', '/contacts', 'GET, HEAD, OPTIONS, POST, QUERY'],
    ['PURGE', '/contacts/', 'GET, HEAD, OPTIONS, POST, QUERY'],
    ['PURGE', '/%63ontacts?limit=1', 'GET, HEAD, OPTIONS, POST, QUERY'],
    ['PROPFIND', '/deals/stages', 'GET, HEAD, OPTIONS, PUT'],
    ['PROPFIND', '/deals/no-stages', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['DELETE', '/deals/stages', 'GET, HEAD, OPTIONS, PUT'],
    ['TRACE', `/api-keys/${randomUUID()}/rotate`, 'OPTIONS, POST'],
  ])('with a valid key, %s %s gets 405, and Allow lists the methods', async (method, path, allow) => {
    for (const prefix of ['', '/v1', '/api/v1']) {
      expect(await sendRaw(method, prefix + path)).toEqual({ status: 405, allow })
    }
  })

  test.each([
    ['/contacts', 'GET, HEAD, OPTIONS, POST, QUERY'],
    ['/deals/stages?limit=1', 'GET, HEAD, OPTIONS, PUT'],
    ['/deals/no-stages', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['/contacts/batch/', 'OPTIONS, POST'],
  ])('with a valid key, OPTIONS %s gets 204, and Allow lists the methods', async (path, allow) => {
    for (const prefix of ['', '/v1', '/api/v1'])
      expect(await sendRaw('OPTIONS', prefix + path)).toEqual({ status: 204, allow })
  })

  test.each(['PROPFIND', 'PURGE', 'DELETE', 'HEAD', 'OPTIONS'])(
    'with a valid key, %s to an unknown address gets 404',
    async (method) => {
      for (const path of ['/v1/nothing-here', '/contactsx', '/v1/%zz', `/api-keys/${randomUUID()}/rotate/x`])
        expect(await sendRaw(method, path)).toEqual({ status: 404, allow: undefined })
    },
  )

  test('with a valid key, a method that is not allowed gets a 405 in the usual error format', async () => {
    const answer = await org.send('PUT', '/contacts', { body: { email: 5 } })
    expect(answer.body).toEqual({
      detail: 'Method Not Allowed. This path has GET, HEAD, OPTIONS, POST, QUERY',
      code: 'method_not_allowed',
    })
  })
})
