import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { usualLongestTurn } from '../support/turns.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
})
afterAll(() => app.close())

const info = { name: 'test', version: '1.0.0' }
const options = () => ({ requestInit: { headers: { authorization: `Bearer ${org.token}` } } })
const url = () => new URL('/mcp', app.address)

async function modern() {
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(url(), options()))
  return client
}
async function legacy() {
  const client = new OldClient(info)
  await client.connect(new OldTransport(url(), options()) as never)
  return client
}

describe.each([
  ['2026-07-28', modern],
  ['2025-11-25', legacy],
])('a client of %s', (_version, connect) => {
  test('the client lists the tools of its key, saves a contact, and finds it', async () => {
    const client = await connect()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('save_contacts')
    const saved = await client.callTool({
      name: 'save_contacts',
      arguments: { items: [{ email: `ada-${_version}@example.com`, first_name: 'Ada' }] },
    })
    expect(saved.structuredContent).toMatchObject({ items: [{ outcome: 'created' }] })
    const found = await client.callTool({
      name: 'list_records',
      arguments: { entity_type: 'contact', email: `ada-${_version}@example.com` },
    })
    expect(found.structuredContent).toMatchObject({ total: 1, records: [{ first_name: 'Ada' }] })
    await client.close()
  })
})

test('a refusal names both ways to authenticate, and does not call the token of an app an API key', async () => {
  const refusal = async (authorization?: string) => {
    const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) }
    const answer = await fetch(url(), { method: 'POST', headers, body: '{}' })
    expect(answer.status).toBe(401)
    return ((await answer.json()) as { detail: string }).detail
  }
  const missing = await refusal()
  expect(missing).toMatch(/header is missing.*Bearer <api_key>.*OAuth.*WWW-Authenticate/)
  const ended = await refusal(`Bearer ${'a'.repeat(43)}`)
  expect(ended).toMatch(/^This access token is not valid here.*OAuth/)
  expect(await refusal('Bearer svc_live_wrong')).toMatch(/^This API key is not valid.*OAuth/)
})

test('an agency key names its client in X-Target-Org-Id, and the refusal of another organization in the path says so', async () => {
  const [agency, client] = [await app.newAgency(), await app.newOrg()]
  await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_organization' } }
  const post = (path: string, headers: Record<string, string> = {}) =>
    agency.post(path, body, {
      prefix: '',
      headers: { accept: 'application/json, text/event-stream', ...headers },
    })
  const target = { 'x-target-org-id': client.orgId }
  const path = `/mcp/${client.orgId}`
  const refused = await post(path)
  expect([refused.status, refused.body.code]).toEqual([403, 'org_id_mismatch'])
  expect(refused.body.detail).toContain('X-Target-Org-Id')
  for (const at of ['/mcp', path])
    expect((await post(at, target)).text).toMatch(new RegExp(`acting_on.{1,20}org_id.{1,10}${client.orgId}`))
})

test('a message above 128 KiB is refused, and a smaller message blocks the thread only for short turns', async () => {
  const send = (bytes: number) => {
    const numbers = '1e1,'.repeat(bytes / 4)
    const raw = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${numbers}1]}}`
    return org.send('POST', '/mcp', { prefix: '', raw, headers: { 'content-type': 'application/json' } })
  }
  expect((await send(128 * 1024)).status).toBe(413)
  expect(await usualLongestTurn(() => send(120 * 1024), 60)).toBeLessThan(60)
})

test('a message has at most 1,000 objects and lists, so that no message blocks the thread', async () => {
  const nested = '['.repeat(90) + ']'.repeat(90)
  const send = (count: number) => {
    const capabilities = `{"experimental":{"a":{"b":[${Array(count).fill(nested).join()}]}}}`
    const clientInfo = JSON.stringify(info)
    const params = `{"protocolVersion":"2025-06-18","capabilities":${capabilities},"clientInfo":${clientInfo}}`
    const raw = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${params}}`
    return org.send('POST', '/mcp', { prefix: '', raw, headers: { 'content-type': 'application/json' } })
  }
  const most = Math.floor(1_000 / 90) - 1
  expect((await send(most)).status).toBe(200)
  expect(await usualLongestTurn(() => send(most), 40)).toBeLessThan(40)
  for (const count of [most + 2, 600]) {
    const { status, body } = await send(count)
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ type: 'too_long', ctx: { max_length: 1_000 } }])
  }
})

test.each(['text/plain', 'application/x-www-form-urlencoded'])(
  'the refusal of a message with the content type %s names the content type to send',
  async (type) => {
    const raw = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const headers = { 'content-type': type }
    const { status, body } = await org.send('POST', '/mcp', { prefix: '', raw, headers })
    expect([status, body.code]).toEqual([400, 'malformed_request'])
    expect(body.detail).toContain('Content-Type: application/json')
  },
)
