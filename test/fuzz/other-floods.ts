import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { TestClient, TestOrg } from '../support/app.ts'
import type { Variant } from './flood.ts'
import type { HeavyRequest } from './heaviest.ts'

const batchMax = 2_500
const bodyBytes = 1_000_000
const inflatedBytes = 4_000_000
const eventBytes = 30_000
const messageBytes = 120_000
const endpoints = 50
/** The budget of an organization for events in a second: 1,000 requests, and 10,000 units of 4 KiB. */
const requestsPerSecond = 1_000
const largeRequestsPerSecond = 400

const nested = JSON.parse('['.repeat(90) + ']'.repeat(90))
const post = { method: 'POST', contentType: 'application/json' }

/** Requests of tracking clients that take the most work. Without a `messageId`, each event is new. */
export function ingestFloods(org: TestOrg): HeavyRequest[] {
  const of = (name: string, body: object): HeavyRequest => ({
    ...{ ...post, name, path: '/v1/batch' },
    body: Buffer.from(JSON.stringify(body)),
  })
  const many = of('batches of 2,500 web events', { batch: eventsOf(batchMax, () => ({ a: 1, b: 'x' })) })
  const large = (properties: () => object) => ({
    batch: eventsOf(Math.floor(bodyBytes / eventBytes), properties),
  })
  const quotes = () =>
    Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`k${at}`, '"\\'.repeat(eventBytes / 1_250)]))
  const inflated = { batch: eventsOf(Math.floor(inflatedBytes / eventBytes), quotes) }
  const alone = (name: string, properties: object, perSecond: number) => ({
    ...of(`single web events of ${name}`, { type: 'track', event: 'Seen', anonymousId: 'a', properties }),
    ...{ path: '/v1/track', perSecond },
  })
  const addresses = () => ({ text: '192.0.2.'.repeat(eventBytes / 10) + '1'.repeat(500) })
  return [
    many,
    of('large web events of quotes', large(quotes)),
    of('large web events that repeat a client address', large(addresses)),
    {
      ...many,
      name: 'web events of 4 MiB in gzip',
      body: gzipSync(JSON.stringify(inflated)),
      prepare: async () => [{ headers: { 'content-encoding': 'gzip' } }],
    },
    { ...many, name: 'batches of 2,500 web events with a write key', prepare: () => withWriteKey(org) },
    {
      ...many,
      name: 'batches of 2,500 web events in gzip, every second one with a write key',
      body: gzipSync(many.body!),
      prepare: async () => {
        const headers = { 'content-encoding': 'gzip' }
        const byWriteKey = await withWriteKey(org)
        return byWriteKey.flatMap((each) => [{ headers }, { headers: { ...headers, ...each.headers } }])
      },
    },
    alone('200 bytes', { a: 1 }, requestsPerSecond),
    alone('lists', { a: Array(eventBytes / 200).fill(nested) }, largeRequestsPerSecond),
    alone('addresses', { a: '://a@?/&#'.repeat(eventBytes / 10) }, largeRequestsPerSecond),
  ]
}

function eventsOf(count: number, properties: () => object): object[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ type: 'track', event: `Seen ${at}`, anonymousId: randomUUID() },
    ...{ properties: properties(), context: { ip: '192.0.2.1' } },
  }))
}

/** Each request comes from another client address. */
async function withWriteKey(org: TestOrg): Promise<Variant[]> {
  const { status, text, body } = await org.post('/write-keys', { name: 'Flood' })
  if (status !== 201) throw new Error(`The write key cannot be made: ${status} ${text}`)
  const authorization = `Basic ${btoa(`${body.data.key}:`)}`
  return Array.from({ length: 200 }, (_, at) => ({
    headers: { authorization, 'x-forwarded-for': `10.9.0.${at}` },
  }))
}

const clientInfo = { name: 'flood', version: '1' }
/** A message may have 1,000 lists. Each of these 10 parts has 90. */
const messageLists = 10

/** Requests to the tool server. */
export function toolFloods(): HeavyRequest[] {
  const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
  const call = (name: string, args: object) => message('tools/call', { name, arguments: args })
  const numbers = Array(messageBytes / 4).fill(123)
  const lists = Array(Math.floor(messageBytes / 190)).fill(nested)
  const capabilities = { experimental: { a: { b: Array(messageLists).fill(nested) } } }
  const messages: Record<string, object> = {
    'the list of all tools': message('tools/list', {}),
    'a list of records': call('list_records', {
      entity_type: 'contact',
      limit: 50,
      response_format: 'detailed',
    }),
    'a search for everybody': call('search', { query: 'anna' }),
    'arguments of 120 KB of numbers': call('search', { query: 'a', more: numbers }),
    'arguments of 120 KB of lists': call('search', { query: 'a', more: lists }),
    'capabilities of lists': message('initialize', {
      protocolVersion: '2025-06-18',
      capabilities,
      clientInfo,
    }),
    'arguments of one text of 120 KB': call('search', { query: 'a'.repeat(messageBytes) }),
  }
  return Object.entries(messages).map(([name, body]) => ({
    ...{ ...post, name: `tool server: ${name}`, path: '/mcp' },
    body: Buffer.from(JSON.stringify(body)),
  }))
}

/**
 * Changes whose events go to the maximum number of webhook endpoints. By default, none of the endpoints answers.
 * @param urlOf the URL of an endpoint, by its number
 */
export function webhookFloods(
  org: TestClient,
  urlOf: (at: number) => string = (at) => `https://crm${at}.example.com/`,
): HeavyRequest[] {
  const items = Array.from({ length: 100 }, (_, at) => ({ first_name: 'Bob', last_name: `n${at}` }))
  return [
    {
      ...{
        ...post,
        name: `contacts whose events go to ${endpoints} webhook endpoints`,
        path: '/contacts/batch',
      },
      body: Buffer.from(JSON.stringify({ items })),
      prepare: async () => {
        for (let made = 0; made < endpoints; made++) {
          // With all types, the events of the new endpoints would also go to them, before the flood.
          const endpoint = { url: urlOf(made), types: ['contact.created'] }
          const { status, text } = await org.post('/webhooks/endpoints', endpoint)
          // An earlier request may have created some endpoints.
          if (status !== 201 && status !== 409) throw new Error(`No webhook endpoint: ${status} ${text}`)
        }
        return [{}]
      },
    },
  ]
}
