import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const policyOf = async (headers: Record<string, string> = {}, server = app) =>
  (await server.stranger.get('/docs', { prefix: '', headers })).headers.get('content-security-policy') ?? ''

test('the API reference may send requests only to the API and its document, on the host of the page', async () => {
  const host = new URL(app.address).host
  expect(await policyOf()).toContain(`; connect-src ${host}/api/v1/ ${host}/openapi.json; `)
  const proxied = await startTestApp({ publicUrl: 'https://crm.example.com' }, app)
  const both = await policyOf({}, proxied)
  expect(both).toContain('crm.example.com/api/v1/ crm.example.com/openapi.json;')
  expect(both).not.toMatch(/connect-src[^;]*'self'/)
  await proxied.close()
})

test('every answer except the API reference isolates its window from the page that opened it', async () => {
  const org = await app.newOrg()
  const paths = [
    '/healthz',
    '/openapi.json',
    '/guides',
    '/docs/scalar.js',
    '/nowhere',
    '/console/api/session',
    '/api/v1/contacts',
  ]
  for (const path of paths)
    expect([path, (await org.get(path, { prefix: '' })).headers.get('cross-origin-opener-policy')]).toEqual([
      path,
      'same-origin',
    ])
  const long = await fetch(`${app.address}/${'a'.repeat(20_000)}`)
  expect([long.status, long.headers.get('cross-origin-opener-policy')]).toEqual([431, 'same-origin'])
  expect((await app.stranger.get('/docs', { prefix: '' })).headers.get('cross-origin-opener-policy')).toBe(
    'unsafe-none',
  )
})
