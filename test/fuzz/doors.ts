import { consoleDocument } from '../../src/console-document.ts'
import { callbackPath } from '../../src/voice/calls/callbacks.ts'
import type { TestApp, TestOrg } from '../support/app.ts'
import { browser, newLiveForm, openedChallenge } from '../support/form-pages.ts'
import { newMember } from '../support/members.ts'
import { newVerifier, OauthRequests } from '../support/oauth-requests.ts'

/** A valid request that does not go to the Developer API. */
export type Door = {
  name: string
  method: string
  path: string
  query: [name: string, value: string][]
  headers: [name: string, value: string][]
  /** undefined: no body */
  body: unknown
  isForm: boolean
}

type Parts = Partial<Omit<Door, 'name' | 'method' | 'path'>>

function door(request: string, { query = [], headers = [], body, isForm = false }: Parts = {}): Door {
  const [method = '', path = ''] = request.split(' ')
  return { name: request, method, path, query, headers, body, isForm }
}

/** Valid requests to every way in, except the Developer API: tracking, forms, callbacks, OAuth, tools, console. */
export async function doorsOf(app: TestApp, org: TestOrg): Promise<Door[]> {
  return [
    ...(await trackingDoors(org)),
    ...(await formDoors(org)),
    ...callbackDoors(app.app.context.orgTokens.make(org.orgId)),
    ...(await oauthDoors(app)),
    ...toolDoors(org),
    ...consoleDoors(),
  ]
}

async function trackingDoors(org: TestOrg): Promise<Door[]> {
  const { key } = (await org.post('/write-keys', { name: 'Site' })).body.data
  const headers: Parts['headers'] = [['authorization', `Basic ${btoa(`${key}:`)}`]]
  const event = {
    ...{ messageId: 'm1', anonymousId: 'a1', userId: 'u1', timestamp: new Date().toISOString() },
    context: {
      page: { url: 'https://shop.example/', referrer: '', title: 'Shop' },
      campaign: { source: 's' },
      consent: { categoryPreferences: { analytics: true } },
    },
    properties: { plan: 'pro', price: 9.5, list: [1, 2] },
    traits: { email: 'ada@example.com', name: 'Ada' },
  }
  const typed = ['page', 'track', 'identify', 'group', 'screen', 'alias']
  return [
    ...typed.map((type) =>
      door(`POST /v1/${type}`, {
        headers,
        body: { ...event, type, event: 'Bought', groupId: 'g', previousId: 'p' },
      }),
    ),
    door('POST /v1/batch', { headers, body: { batch: [{ ...event, type: 'page' }], sentAt: new Date() } }),
    door('POST /v1/t', { body: { ...event, writeKey: key, type: 'track', event: 'Bought' } }),
    door(`GET /v1/projects/${key}/settings`),
    door('GET /sourceConfig', { query: [['writeKey', key]] }),
  ]
}

async function formDoors(org: TestOrg): Promise<Door[]> {
  const { formId, key } = await newLiveForm(org)
  const challenge = openedChallenge(formId)
  const answers = { email: 'ada@example.com', name: 'Ada', wish: 'Call me' }
  const headers: Parts['headers'] = [['user-agent', browser]]
  return [
    door(`GET /f/${formId}`),
    door(`GET /f/${formId}/thanks`),
    door(`GET /f/${formId}/definition`, { query: [['writeKey', key]] }),
    door(`POST /f/${formId}`, { headers, body: { ...answers, challenge }, isForm: true }),
    door(`POST /f/${formId}/submissions`, {
      headers,
      body: { writeKey: key, challenge, answers, anonymousId: 'a1', pageUrl: 'https://shop.example/' },
    }),
  ]
}

const callbackDoors = (token: string): Door[] => [
  door(`POST ${callbackPath('twilio', token)}`, {
    body: { CallSid: 'CA1', CallStatus: 'completed' },
    isForm: true,
  }),
  door(`POST ${callbackPath('vapi', token)}`, { body: { message: { type: 'status-update' } } }),
  door(`POST ${callbackPath('livekit', token)}`, { body: { event: 'room_finished', id: '1' } }),
]

async function oauthDoors(app: TestApp): Promise<Door[]> {
  const requests = new OauthRequests(app)
  const { body } = await requests.register()
  const { searchParams } = requests.authorizeUrl(body.client_id, newVerifier())
  const token = { grant_type: 'refresh_token', refresh_token: 'x', client_id: body.client_id }
  return [
    door('POST /oauth/register', {
      body: { client_name: 'Host', redirect_uris: ['http://127.0.0.1:1/callback'], scope: 'contacts:read' },
    }),
    door('GET /oauth/authorize', { query: [...searchParams] }),
    door('POST /oauth/token', { body: token, isForm: true }),
    door('POST /oauth/revoke', { body: { token: 'x', client_id: body.client_id }, isForm: true }),
    door('GET /oauth/jwks'),
    door('GET /.well-known/oauth-authorization-server'),
    door('GET /.well-known/oauth-protected-resource/mcp'),
  ]
}

function toolDoors(org: TestOrg): Door[] {
  const headers: Parts['headers'] = [
    ['authorization', `Bearer ${org.token}`],
    ['accept', 'application/json, text/event-stream'],
    ['mcp-protocol-version', '2025-06-18'],
  ]
  const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
  const clientInfo = { name: 'fuzz', version: '1' }
  const call = (name: string, args: object) => message('tools/call', { name, arguments: args })
  return [
    message('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }),
    message('tools/list', {}),
    message('ping', {}),
    call('list_records', { type: 'contact', limit: 5 }),
    call('search', { query: 'anna' }),
    call('get_workspace', {}),
  ].map((body) => door('POST /mcp', { headers, body }))
}

/** The endpoints of the console for people, without the headers of a session. */
function consoleDoors(): Door[] {
  return Object.entries(consoleDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { requestBody?: { content: object } }>)
      // A sign-out would end the session of all later requests.
      .filter(([method]) => !/sign-out|session/.test(path) || method === 'get')
      .map(([method, { requestBody }]) => {
        const [content] = Object.values(requestBody?.content ?? {}) as { example?: unknown }[]
        const filled = path.replaceAll(/\{\w+\}/g, '0190a3c4-0000-7000-8000-00000000dead')
        return door(`${method.toUpperCase()} /console/api${filled}`, { body: content?.example })
      }),
  )
}

/** The headers of signed-in owners, each of an organization of its own. */
export async function newSessions(app: TestApp, count: number): Promise<Door['headers'][]> {
  const sessions: Door['headers'][] = []
  for (let made = 0; made < count; made++) {
    const { orgId } = await app.newOrg()
    const { cookie } = await newMember(app, orgId)
    sessions.push([
      ['cookie', cookie ?? ''],
      ['sec-fetch-site', 'same-origin'],
      ['x-org-id', orgId],
    ])
  }
  return sessions
}
