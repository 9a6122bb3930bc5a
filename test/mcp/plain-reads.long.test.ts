import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { requirePermission } from '../../src/auth/permissions.ts'
import { plainReadIn } from '../../src/mcp/plain-read.ts'
import { serveTools } from '../../src/mcp/route.ts'
import { type CreateServer, createToolServer } from '../../src/mcp/server.ts'
import type { Caller } from '../../src/platform/caller.ts'
import { createInvoker } from '../../src/platform/http/invoke.ts'
import { createServer } from '../../src/platform/http/server.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { runs } from '../support/runs.ts'

let app: TestApp
let org: TestOrg
let ids: { contact: string; company: string; deal: string }
/** The tool server, and a second one that passes every message to the protocol's library. */
let servers: { own: Served; library: Served }
let permissions: readonly string[] | null = null
beforeAll(async () => {
  app = await startTestApp({ publicUrl: 'https://crosswalk.example' })
  org = await app.newOrg()
  const made = async (path: string, body: object) => Object.values((await org.post(path, body)).body.data)[0]
  const hidden = 'Ada\u200b "\\u202e" \u2028\ud83d\ude00\b\f'
  ids = {
    contact: (await made('/contacts', { first_name: hidden, custom: { 2: 1e21, 1: -0 } })) as string,
    company: (await made('/companies', { name: 'Analytical Engines' })) as string,
    deal: (await made('/deals', { name: 'Engine' })) as string,
  }
  servers = { own: await startServer(), library: await startServer(createToolServer) }
})
afterAll(async () => {
  await Promise.all([servers.own.close(), servers.library.close()])
  await app.close()
})

type Served = { url: string; close: () => Promise<void> }

async function startServer(protocolServer?: CreateServer): Promise<Served> {
  const { orgId, apiKeyId } = org
  const callerNow = (): Caller => ({
    ...{ apiKeyId, memberId: null, sessionId: null, name: 'Test key', mode: 'live', permissions },
    ...{ orgId, homeOrgId: orgId, payerId: orgId, reachesClients: false },
  })
  const { context } = app.app
  const answerKeyed = () => Promise.reject(new Error('a read has no Idempotency-Key'))
  const invoker = createInvoker({ context, requirePermission, answerKeyed })
  const server = createServer({
    ...{ endpoints: [], context, gate: callerNow, requirePermission, onAnswer: () => {}, answerKeyed },
    requireRights: async () => {},
    publicRoutes: (fastify) =>
      serveTools(fastify, {
        ...{ context, endpoints, ...(protocolServer ? { createServer: protocolServer } : {}) },
        // Refuse the second endpoint of a call, so that `search` gets a 429.
        admit: async () => ({
          caller: callerNow(),
          spend: () => ({ allowed: false, retryAfterSeconds: 3 }) as never,
        }),
        invoker: (request) => (endpoint, parts) =>
          endpoint.name === 'summarize_deals'
            ? Promise.reject(new Error('a fault of the server'))
            : invoker(request)(endpoint, parts),
      }),
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, close: () => server.close() }
}

type Message = { headers: Record<string, string>; body: unknown }

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

async function answerOf({ url }: Served, { headers, body }: Message) {
  const sent = { 'content-type': 'application/json', ...headers }
  const answer = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) })
  const { date, 'x-request-id': requestId = '', ...rest } = Object.fromEntries(answer.headers)
  const text = (await answer.text()).replace(uuid, (id) => (id === requestId ? '<request id>' : id))
  return { status: answer.status, headers: rest, text }
}

async function expectSameAnswers(message: Message) {
  const [own, library] = await Promise.all([
    answerOf(servers.own, message),
    answerOf(servers.library, message),
  ])
  expect(own).toEqual(library)
  return own
}

const isPlain = ({ headers, body }: Message) =>
  plainReadIn(headers, JSON.parse(JSON.stringify(body))) !== null

const version = 'io.modelcontextprotocol/protocolVersion'
const capabilities = 'io.modelcontextprotocol/clientCapabilities'
const client = 'io.modelcontextprotocol/clientInfo'

const modern = (name: string, args?: object): Message => ({
  headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
  body: {
    ...{ jsonrpc: '2.0', id: 'one', method: 'tools/call' },
    params: {
      name,
      arguments: args,
      _meta: { [version]: '2026-07-28', [capabilities]: { elicitation: {} } },
    },
  },
})
const legacy = (name: string, args?: object): Message => ({
  headers: { 'mcp-protocol-version': '2025-11-25' },
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
})

type Case = [title: string, tool: string, args: () => object | undefined, held?: readonly string[] | null]
const cases: Case[] = [
  ['no arguments', 'get_organization', () => undefined],
  ['empty arguments', 'get_organization', () => ({})],
  ['a record with unusual characters', 'get_record', () => ({ entity_type: 'contact', id: ids.contact })],
  [
    'a record with related ones',
    'get_record',
    () => ({ entity_type: 'deal', id: ids.deal, include: ['deals'] }),
  ],
  ['a list', 'list_records', () => ({ entity_type: 'company', limit: 1 })],
  ['an empty list', 'list_records', () => ({ entity_type: 'deal', q: 'nothing like this' })],
  ['options', 'list_options', () => ({ about: 'stages' })],
  ['a record as text', 'fetch', () => ({ id: `company:${ids.company}` })],
  ['an unknown argument', 'list_records', () => ({ entity_type: 'contact', nmae: 'Ada' })],
  ['a missing argument', 'get_record', () => ({})],
  ['an argument of another type', 'list_records', () => ({ entity_type: 'contact', limit: 'ten' })],
  ['an argument that the API refuses', 'list_events', () => ({ type: 'no.such.event' })],
  ['an id that makes no sense', 'fetch', () => ({ id: 'x' })],
  ['an id of nothing', 'get_record', () => ({ entity_type: 'contact', id: org.orgId })],
  ['too many requests', 'search', () => ({ query: 'Ada' })],
  ['a fault of the server', 'summarize_deals', () => ({})],
  [
    'a permission that is missing',
    'get_record',
    () => ({ entity_type: 'deal', id: ids.deal }),
    ['contacts:read'],
  ],
]

describe.each([
  ['2026-07-28', modern],
  ['2025-11-25', legacy],
] as const)('a plain read of %s has the answer of the protocol’s library', (_version, message) => {
  test.each(cases)(
    'a plain read with %s has the answer of the protocol’s library',
    async (_title, tool, args, held = null) => {
      permissions = held
      const sent = message(tool, args())
      expect(isPlain(sent)).toBe(true)
      expect((await expectSameAnswers(sent)).status).toBe(200)
      permissions = null
    },
  )
})

test.each([
  ['a write', modern('save_contacts', { items: [] })],
  ['an unknown tool', modern('no_such_tool')],
  [
    'another method',
    { ...legacy('get_organization'), body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  ],
  ['a notification', { ...legacy('get_organization'), body: { jsonrpc: '2.0', method: 'tools/call' } }],
])('%s is passed to the protocol’s library', (_what, message) => {
  expect(isPlain(message)).toBe(false)
})

/** A message whose parts are mostly valid. The weights make about half of the messages plain reads. */
const messages = fc
  .record({
    isModern: fc.boolean(),
    name: rarely('get_organization', 'list_records', 'fetch', 'no_such_tool', '', 7, null),
    id: rarely(1, 'a "quoted" id', -3, 0, '', 1.5, 2 ** 60, null, undefined, [1]),
    arguments: rarely(
      ...[{}, undefined, { entity_type: 'deal' }, { id: 'x', more: [null, { deep: '\u0000' }] }],
      ...[null, [], 'text', JSON.parse('{"__proto__":{"entity_type":"deal"}}')],
    ),
    meta: rarely(
      ...[{}, { progressToken: 5 }, { progressToken: 'p' }, { 'host/tool': 1 }, { progressToken: 1.5 }],
      ...[{ [client]: { name: 'Host', version: '1' } }, { [client]: { name: 'Host' } }, { [client]: 'Host' }],
      ...[
        { [capabilities]: {} },
        { [capabilities]: { elicitation: { form: {} }, roots: { listChanged: true } } },
      ],
      ...[{ [capabilities]: undefined }, { [capabilities]: { elicitation: true } }, { [capabilities]: null }],
      ...[
        { [version]: '2025-11-25' },
        { [version]: '2099-01-01' },
        { [version]: undefined },
        { [version]: 5 },
      ],
      { 'io.modelcontextprotocol/related-task': { taskId: 5 } },
      { 'io.modelcontextprotocol/logLevel': 'loud' },
      { traceparent: 5, tracestate: null, baggage: [] },
      { 'io.modelcontextprotocol/unknown': 1 },
    ),
    version: rarely(null, '2025-06-18', '2024-10-07', '2020-01-01', '2026-07-28', ' 2026-07-28 ', ''),
    header: rarely({}, { 'mcp-method': 'tools/list' }, { 'mcp-name': 'fetch' }, { 'mcp-session-id': 'x' }),
    params: rarely({}, { requestState: 'v1.x' }, { inputResponses: {} }, { task: {} }, { more: 1 }),
    top: rarely(
      {},
      { jsonrpc: '1.0' },
      { method: 'tools/list' },
      { more: 1 },
      { params: [] },
      { params: null },
    ),
  })
  .map(({ isModern, ...parts }): Message => {
    const made = isModern ? modern('', {}) : legacy('', {})
    const body = made.body as { params: { _meta?: object } }
    const name = typeof parts.name === 'string' ? { 'mcp-name': parts.name } : {}
    const sentVersion = parts.version === null ? {} : { 'mcp-protocol-version': parts.version as string }
    const params = {
      ...{ name: parts.name, arguments: parts.arguments },
      ...{ _meta: { ...body.params._meta, ...(parts.meta as object) }, ...(parts.params as object) },
    }
    return {
      headers: { ...made.headers, ...(isModern ? name : {}), ...sentVersion, ...(parts.header as object) },
      body: { ...(made.body as object), id: parts.id, params, ...(parts.top as object) },
    }
  })

/** Mostly the first value. */
function rarely(first: unknown, ...others: unknown[]) {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constant(first) },
    { weight: 4, arbitrary: fc.constantFrom(...others) },
  )
}

test('every message gets the same answer as from the protocol’s library', async () => {
  let plain = 0
  await fc.assert(
    fc.asyncProperty(messages, async (message) => {
      if (isPlain(message)) plain++
      await expectSameAnswers(message)
    }),
    { numRuns: runs(70, 600) },
  )
  expect(plain).toBeGreaterThan(runs(2, 60))
})
