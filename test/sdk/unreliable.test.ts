import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { type ProxyFault, UnreliableProxy } from '../support/unreliable-proxy.ts'
import { clientOf } from './stub.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

// test/faults/sdk.test.ts sends 5,000 creates under the default limits.
test('behind a proxy that drops, delays, truncates and refuses, 60 creates make exactly 60 contacts', async () => {
  const org = await app.newOrg()
  const faults: ProxyFault[] = [
    ...(['drop before', 'drop after', 'truncate', 'bad gateway', 'delay'] as const),
    ...(['refuse 429', 'refuse 503', 'refuse 409'] as const),
  ]
  // Each fault happens to the first try of two requests.
  const planned = [...faults, ...faults]
  const proxy = new UnreliableProxy(org.address, () => planned.pop() ?? 'pass')
  const client = clientOf({ address: await proxy.start(), token: org.token })
  try {
    const names = Array.from({ length: 60 }, (_, n) => `Number ${n}`)
    const created = await Promise.all(names.map((last_name) => client.contacts.create({ last_name })))
    expect(created.map(({ last_name }) => last_name)).toEqual(names)
    const stored: (string | null)[] = []
    for await (const { last_name } of clientOf(org).contacts.list({ limit: 100 })) stored.push(last_name)
    expect(stored.toSorted()).toEqual(names.toSorted())
    for (const fault of faults) expect([fault, proxy.counts[fault]]).toEqual([fault, 2])
  } finally {
    proxy.stop()
  }
})
