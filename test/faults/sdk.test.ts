import { afterAll, expect, onTestFinished, test } from 'vitest'
import { Crosswalk } from '../../sdk/src/main.ts'
import { setCeilings } from '../../src/orgs/operator.ts'
import { startTestApp } from '../support/app.ts'
import { type ProxyFault, UnreliableProxy } from '../support/unreliable-proxy.ts'

const app = await startTestApp()
afterAll(() => app.close())

// Above the default limits, so that the test reaches both limits within 90 s.
const perSecond = 100
const perMinute = 4_500

// Measure the rate of these creates: at the end, the last refused requests only wait for their Retry-After.
const measuredCreates = 4_900

const faults: ProxyFault[] = [
  ...(['drop before', 'drop after', 'truncate', 'bad gateway', 'delay'] as const),
  ...(['refuse 429', 'refuse 503', 'refuse 409'] as const),
]

/** Measures for how long the machine did not run this process, which is both client and server. */
function startStallClock(): () => number {
  const tickMs = 20
  let [stalledMs, last] = [0, performance.now()]
  const ticks = setInterval(() => {
    const now = performance.now()
    const stallMs = now - last - tickMs
    if (stallMs > tickMs) stalledMs += stallMs
    last = now
  }, tickMs)
  onTestFinished(() => clearInterval(ticks))
  return () => stalledMs / 1000
}

test('5,000 creates at once through an unreliable proxy make exactly 5,000 contacts, at 95 % of the allowed rate', {
  timeout: 600_000,
}, async () => {
  const org = await app.newOrg({ limited: true })
  await app.operate((tx) => setCeilings(tx, org.orgId, { perSecond, perMinute }))
  const proxy = new UnreliableProxy(org.address, () =>
    Math.random() < 0.08 ? faults[Math.floor(Math.random() * faults.length)]! : 'pass',
  )
  const statuses = new Map<number, number>()
  const client = new Crosswalk({
    apiKey: org.token ?? '',
    baseUrl: await proxy.start(),
    maxRetries: 8,
    onResponse: ({ status }) => statuses.set(status, (statuses.get(status) ?? 0) + 1),
  })
  try {
    const [startedAt, stalledFor] = [performance.now(), startStallClock()]
    const names = Array.from({ length: 5000 }, (_, n) => `Number ${n}`)
    let count = 0
    let [seconds, stalled, accepted] = [0, 0, 0]
    const create = async (last_name: string) => {
      const contact = await client.contacts.create({ last_name })
      if (++count === measuredCreates) {
        seconds = (performance.now() - startedAt) / 1000
        ;[stalled, accepted] = [stalledFor(), proxy.accepted]
      }
      return contact
    }
    const created = await Promise.all(names.map(create))
    expect(created.map(({ last_name }) => last_name)).toEqual(names)
    const found = app.operate((tx) =>
      tx.first<{ contacts: number; names: number }>({
        text: 'select count(*) as contacts, count(distinct last_name) as names from contact where org_id = $1',
        values: [org.orgId],
      }),
    )
    expect(await found).toEqual({ contacts: 5000, names: 5000 })
    for (const fault of faults) expect(proxy.counts[fault] ?? 0).toBeGreaterThan(10)
    // The limits allow 4,500 in the first 45 s of each minute, at 100 a second.
    const last = accepted - 1
    const fastest = 60 * Math.floor(last / perMinute) + Math.floor((last % perMinute) / perSecond)
    console.log(
      `${accepted} requests in ${seconds.toFixed(1)} s, without ${stalled.toFixed(1)} s of them; the limits allow ${fastest} s`,
      statuses,
    )
    // Leave out the time in which a busy machine did not run this process, because the test is about the client's
    // rate.
    expect(seconds - stalled).toBeLessThan(fastest / 0.95)
  } finally {
    proxy.stop()
  }
})
