import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { ConfigurationError, type CrosswalkError, PermissionError, TimeoutError } from '../../sdk/src/main.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { freePort } from '../support/own-postgres.ts'
import { patience } from '../support/patience.ts'
import { Child, cleanUp, fileNamed } from '../support/processes.ts'
import { storedEvents } from '../support/tracking-clients.ts'
import { type ProxyFault, UnreliableProxy } from '../support/unreliable-proxy.ts'
import { clientOf, clientOfStub, closeStubs } from './stub.ts'

const app = await sharedTestApp()
afterEach(closeStubs)
afterAll(async () => {
  await cleanUp()
  await app.close()
})

const numbersOf = async ({ orgId }: TestOrg) =>
  (await storedEvents(app.databaseUrl, orgId)).map(({ properties }) => (properties as { n: number }).n)
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('events', () => {
  test('600 events are stored unchanged, and each once', async () => {
    const org = await app.newOrg()
    let requests = 0
    const { track } = clientOf(org, { onRequest: () => requests++ })
    const properties = { n: 0, list: [1, null] }
    track('Order Paid', { userId: 'user-7', properties, timestamp: new Date('2020-01-01T00:00:00Z') })
    properties.n = 99
    for (const n of upTo(600).slice(1)) track('Seen', { anonymousId: 'a1', properties: { n } })
    await track.flush()
    const stored = await storedEvents(app.databaseUrl, org.orgId)
    expect(await numbersOf(org)).toHaveLength(600)
    expect((await numbersOf(org)).toSorted((a, b) => a - b)).toEqual(upTo(600))
    expect(stored.find(({ name }) => name === 'Order Paid')).toEqual({
      ...{ type: 'track', name: 'Order Paid', user_key: 'user-7', properties: { n: 0, list: [1, null] } },
    })
    expect(requests).toBeLessThanOrEqual(6)
    const { body } = await org.get('/tracking/events?name=Order%20Paid')
    expect(Math.abs(body.data.events[0].occurred_at - 1_577_836_800)).toBeLessThan(60)
    await track.close()
  })

  test('the SDK sends events automatically: at once if 20 wait, and after 5 s if fewer wait', async () => {
    const org = await app.newOrg()
    const { track } = clientOf(org)
    for (const n of upTo(20)) track('Seen', { anonymousId: 'a1', properties: { n } })
    await expect.poll(() => numbersOf(org).then(({ length }) => length), patience).toBe(20)
    track('Seen', { anonymousId: 'a1', properties: { n: 20 } })
    await expect.poll(() => numbersOf(org).then(({ length }) => length), patience).toBe(21)
  })

  test('an event with the messageId of an earlier one is stored once', async () => {
    const org = await app.newOrg()
    const { track } = clientOf(org)
    for (const n of [0, 1]) track('Seen', { anonymousId: 'a1', messageId: 'order-7', properties: { n } })
    await track.flush()
    expect(await numbersOf(org)).toEqual([0])
  })

  test('a program without further work sends its last events before it ends', async () => {
    const org = await app.newOrg()
    const file = fileNamed('ends.ts')
    writeFileSync(
      file,
      `import { Crosswalk } from '${pathToFileURL(join(projectRoot, 'sdk/src/main.ts')).href}'
        const crosswalk = new Crosswalk({ apiKey: process.env.KEY, baseUrl: process.env.URL })
        for (let n = 0; n < 3; n++) crosswalk.track('Seen', { anonymousId: 'a1', properties: { n } })
        console.log('ends')`,
    )
    const from = performance.now()
    const env = { KEY: org.token ?? '', URL: org.address }
    const { code, stderr } = await new Child(relative(projectRoot, file), [], env).ended
    expect([code, stderr]).toEqual([0, ''])
    expect(await numbersOf(org)).toEqual([0, 1, 2])
    expect(performance.now() - from).toBeLessThan(patience.timeout)
  })
})

describe('failures', () => {
  const faults: ProxyFault[] = [
    'drop before',
    'drop after',
    'truncate',
    'bad gateway',
    'refuse 429',
    'refuse 503',
  ]

  test.concurrent.for(faults)('after "%s", each event is stored once', async (first, { expect }) => {
    const org = await app.newOrg()
    let requests = 0
    const proxy = new UnreliableProxy(app.address, () => (requests++ === 0 ? first : 'pass'))
    const { track } = clientOf({ address: await proxy.start(), token: org.token })
    for (const n of upTo(300)) track('Seen', { anonymousId: 'a1', properties: { n } })
    await track.close()
    proxy.stop()
    expect((await numbersOf(org)).toSorted((a, b) => a - b)).toEqual(upTo(300))
    expect(requests).toBeGreaterThanOrEqual(3)
  })

  test('without a server, flush fails with the number of waiting events; they are sent once the server is back', async () => {
    const org = await app.newOrg()
    const port = await freePort()
    const lost: number[] = []
    const { track } = clientOf(
      { address: `http://127.0.0.1:${port}`, token: org.token },
      { onTrackError: (_error, count) => lost.push(count) },
    )
    for (const n of upTo(3)) track('Seen', { anonymousId: 'a1', properties: { n } })
    const refused = await track.flush({ deadlineMs: 100 }).catch((error) => error)
    expect(refused).toBeInstanceOf(TimeoutError)
    expect(refused.message).toContain('3 events still wait after 100 ms')
    const proxy = new UnreliableProxy(app.address, () => 'pass')
    await proxy.start(port)
    await track.flush({ deadlineMs: patience.timeout })
    proxy.stop()
    expect((await numbersOf(org)).toSorted()).toEqual(upTo(3))
    expect(lost).toEqual([])
  })

  test('a permanent refusal loses the events, and onTrackError reports the loss', async () => {
    const org = await app.newOrg()
    const weak = await app.newKey(org.orgId, { permissions: ['contacts:read'] })
    const told: [CrosswalkError, number][] = []
    const { track } = clientOf(weak, { onTrackError: (...each) => told.push(each) })
    for (const n of upTo(3)) track('Seen', { anonymousId: 'a1', properties: { n } })
    await track.flush()
    expect(told).toEqual([[expect.any(PermissionError), 3]])
    expect(told[0]![0].message).toContain('tracking:write')
    expect(await numbersOf(org)).toEqual([])
  })

  test('at most 10,000 events wait, and each further event is reported as lost', async () => {
    const told: [CrosswalkError, number][] = []
    const { track } = await clientOfStub(() => {}, { onTrackError: (...each) => told.push(each) })
    for (let n = 0; n < 10_002; n++) track('Seen', { anonymousId: 'a1' })
    expect(told.map(([, lost]) => lost)).toEqual([1, 1])
    expect(told[0]![0].message).toContain('10000 events already wait')
    await expect(track.close({ deadlineMs: 1 })).rejects.toThrow('10000 events still wait after 1 ms')
  })

  test('an invalid call of track throws at once', async () => {
    const client = clientOf(await app.newOrg())
    const wrong = {} as { userId: string }
    for (const call of [
      () => client.track('', { userId: 'u1' }),
      () => client.track('Seen', wrong),
      () => client.track('Seen', undefined as never),
      () => client.track('Seen', { userId: '' }),
      () => client.forOrg('019b76da-a800-7000-9000-000000000001').track('Seen', { userId: 'u1' }),
    ])
      expect(call).toThrow(ConfigurationError)
    await client.track.close()
    expect(() => client.track('Seen', { userId: 'u1' })).toThrow('after track.close()')
  })
})
