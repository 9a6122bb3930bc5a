import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { patience } from '../support/patience.ts'
import { addEndpoint } from '../support/webhooks/endpoints.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'

let server: TestApp
let hole: Receiver
let receiver: Receiver
beforeAll(async () => {
  server = await startTestApp({ outboundAllowPrivate: true })
  hole = await startReceiver()
  receiver = await startReceiver()
})
afterAll(async () => {
  hole.close()
  receiver.close()
  await server.close()
})

test('an endpoint gets its event while 80 endpoints of other organizations do not answer', async () => {
  let closed = 0
  hole.behave(() => (response) => response.on('close', () => closed++))
  const listen = async (url: string) => {
    const org = await server.newOrg()
    return { org, add: () => addEndpoint(server.app, org.orgId, { url, types: ['contact.*'] }) }
  }
  const [one, another, working] = [await listen(hole.url), await listen(hole.url), await listen(receiver.url)]
  for (const { add } of [one, another])
    for (let index = 0; index < 40; index++) hole.secrets.push((await add()).secret)
  receiver.secrets.push((await working.add()).secret)
  for (const { org } of [one, another]) await org.post('/contacts', { email: 'ada@example.com' })
  await expect.poll(() => hole.requests.length, patience).toBe(80)
  await working.org.post('/contacts', { email: 'ada@example.com' })
  await expect.poll(() => receiver.accepted().length, patience).toBe(1)
  expect(closed).toBe(0)
})
