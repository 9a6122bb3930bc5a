import RudderAnalytics from '@rudderstack/rudder-sdk-node'
import { Analytics } from '@segment/analytics-node'
import { afterAll, describe, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { firstRequestFaults, newWriteKey, storedEvents } from '../support/tracking-clients.ts'
import { type ProxyFault, UnreliableProxy } from '../support/unreliable-proxy.ts'

// The clients are unmodified, and have no options except their address. They wait seconds before a retry, so all run
// at the same time.
const app = await sharedTestApp()
const proxies: UnreliableProxy[] = []
afterAll(async () => {
  for (const proxy of proxies) proxy.stop()
  await app.close()
})

type Call = 'identify' | 'track' | 'page' | 'screen' | 'group' | 'alias'
// biome-ignore lint/suspicious/noExplicitAny: the parameters of each client have types of their own
type Client = { say(call: Call, event: any): unknown; end(): Promise<unknown> }

const clients: [string, (host: string, writeKey: string) => Client][] = [
  [
    '@segment/analytics-node',
    (host, writeKey) => {
      const client = new Analytics({ host, writeKey })
      return { say: (call, event) => client[call](event), end: () => client.closeAndFlush() }
    },
  ],
  [
    '@rudderstack/rudder-sdk-node',
    (dataPlaneUrl, writeKey) => {
      const client = new RudderAnalytics(writeKey, { dataPlaneUrl, logLevel: 'none' })
      return { say: (call, event) => client[call](event), end: () => client.flush() }
    },
  ],
]

const userId = 'u1'
const said: [Call, object][] = [
  ['identify', { userId, traits: { plan: 'pro', seats: 5 } }],
  ['track', { userId, event: 'Signed Up', properties: { plan: 'pro', nested: { list: [1, null] } } }],
  ['page', { userId, name: 'Pricing', properties: { path: '/pricing' } }],
  ['screen', { userId, name: 'Start', properties: { tab: 1 } }],
  ['group', { userId, groupId: 'g1', traits: { size: 3 } }],
  ['alias', { userId, previousId: 'u0' }],
]

const stored = [
  { type: 'identify', name: null, properties: { plan: 'pro', seats: 5 } },
  { type: 'track', name: 'Signed Up', properties: { plan: 'pro', nested: { list: [1, null] } } },
  { type: 'page', name: 'Pricing', properties: { path: '/pricing' } },
  { type: 'screen', name: 'Start', properties: { tab: 1 } },
  { type: 'group', name: null, properties: { group_id: 'g1', traits: { size: 3 } } },
  { type: 'alias', name: null, properties: { previous_id: 'u0' } },
].map((each) => ({ ...each, user_key: userId }))

async function startProxy(first: ProxyFault): Promise<string> {
  let requests = 0
  const proxy = new UnreliableProxy(app.address, () => (requests++ === 0 ? first : 'pass'))
  proxies.push(proxy)
  return proxy.start()
}

describe.each(clients)('the tracking client %s reaches Crosswalk', (_name, start) => {
  test.concurrent('every call of the client is stored unchanged', async ({ expect }) => {
    const { orgId, key } = await newWriteKey(app)
    const client = start(app.address, key)
    for (const [call, event] of said) client.say(call, event)
    await client.end()
    expect(await storedEvents(app.databaseUrl, orgId)).toEqual(stored)
  })

  test.concurrent.for(firstRequestFaults)(
    'after "%s", each event is stored once',
    async (first, { expect }) => {
      const { orgId, key } = await newWriteKey(app)
      const client = start(await startProxy(first), key)
      for (let n = 0; n < 3; n++) client.say('track', { userId, event: 'Seen', properties: { n } })
      await client.end()
      const rows = await storedEvents(app.databaseUrl, orgId)
      expect(rows.map(({ properties }) => (properties as { n: number }).n).toSorted()).toEqual([0, 1, 2])
    },
  )
})
