import { randomUUID } from 'node:crypto'
import type { Process } from '../support/installation.ts'

const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36'

const visitors = 20_000
/** A batch has this many events of a visitor, one after another. */
const eventsOfVisitor = 4

/** A track event in the form of analytics-next 1.84: 0.9 kB. */
function event(visitor: number, now: string) {
  const path = `/products/${Math.floor(Math.random() * 500)}`
  return {
    timestamp: now,
    integrations: { 'Segment.io': true },
    event: `Product Viewed ${visitor % 20}`,
    type: 'track',
    properties: { product: path, price: visitor % 100, currency: 'EUR', list: 'search', position: 3 },
    context: {
      page: {
        path,
        referrer: 'https://www.example.org/',
        search: '',
        title: 'A product',
        url: `https://shop.example.com${path}`,
      },
      userAgent: agent,
      locale: 'en-US',
      library: { name: 'analytics.js', version: 'npm:next-1.84.3' },
      timezone: 'UTC',
    },
    messageId: `ajs-next-${randomUUID()}`,
    anonymousId: `00000000-0000-4000-8000-${visitor.toString(16).padStart(12, '0')}`,
    userId: null,
    _metadata: { bundled: ['Segment.io'], unbundled: [], bundledIds: [] },
  }
}

/** Requests with `each` events, for one organization after another. */
export function trackingRequests(
  server: Process,
  tokens: readonly string[],
  requests: number,
  each: number,
): Buffer[] {
  const now = new Date().toISOString()
  const { host } = new URL(server.address)
  return Array.from({ length: requests }, (_, index) => {
    const first = Math.floor(Math.random() * visitors)
    const batch = Array.from({ length: each }, (_, at) =>
      event(first + Math.floor(at / eventsOfVisitor), now),
    )
    const body = JSON.stringify({ batch, sentAt: now })
    const key = Buffer.from(`${tokens[index % tokens.length]}:`).toString('base64')
    return Buffer.from(
      `POST /v1/batch HTTP/1.1\r\nhost: ${host}\r\nauthorization: Basic ${key}\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  })
}
