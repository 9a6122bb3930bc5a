import { afterAll, beforeAll, expect, test } from 'vitest'
import { recentRequests } from '../../src/platform/recent-requests.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { patience } from '../support/patience.ts'
import { addEndpoint } from '../support/webhooks/endpoints.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'

const endpoints = 20
/** Less than the time of 20 lots and their rests, and more than the time of 20 deliveries at once. */
const spreadMs = 600

let server: TestApp
let receiver: Receiver
beforeAll(async () => {
  server = await startTestApp({ outboundAllowPrivate: true })
  receiver = await startReceiver()
})
afterAll(async () => {
  receiver.close()
  await server.close()
})

test('the endpoints of an organization get an event one after another while another organization sends requests', async () => {
  const [org, other] = [await server.newOrg(), await server.newOrg()]
  for (let made = 0; made < endpoints; made++) {
    const { secret } = await addEndpoint(server.app, org.orgId, {
      url: receiver.url,
      types: ['contact.created'],
    })
    receiver.secrets.push(secret)
  }
  const arrivedAt: number[] = []
  // No answer comes before all events arrived: a receiver that does not answer delays the others only a little.
  receiver.behave(() => (response) => {
    arrivedAt.push(performance.now())
    if (arrivedAt.length === endpoints) for (const each of [...held, response]) each.end()
    else held.push(response)
  })
  const held: { end(): void }[] = []
  // As if the other organization sent its next request in a minute: on a busy machine, its requests would be too rare.
  recentRequests.note({ payerId: other.orgId, orgId: other.orgId }, performance.now() + 60_000)
  await org.post('/contacts', { email: 'ada@example.com' })
  await expect.poll(() => arrivedAt.length, patience).toBe(endpoints)
  expect(arrivedAt.at(-1)! - arrivedAt[0]!).toBeGreaterThan(spreadMs)
  expect(receiver.badSignatures).toBe(0)
})
