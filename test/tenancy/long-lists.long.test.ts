import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { longestTurn } from '../support/turns.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

/** In milliseconds of CPU. Without slices, the list of segments blocks the event loop for 400 or more. */
const turnMax = 100

/** The longest turn while a list is read. Its JSON is not parsed: this thread is also the client. */
async function turnOf(org: TestOrg, path: string, bytesMin: number): Promise<number> {
  let bytes = 0
  const read = async () => {
    const headers = { authorization: `Bearer ${org.token}` }
    const answer = await fetch(`${app.address}/api/v1${path}`, { headers })
    for await (const chunk of answer.body ?? []) bytes += chunk.length
  }
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 4 && least >= turnMax; run++) least = Math.min(least, await longestTurn(read))
  expect(bytes).toBeGreaterThan(bytesMin)
  return least
}

test('100 segments with 200 phone numbers each are listed without a long turn of the thread', async () => {
  const org = await app.newOrg()
  let next = 0
  const phones = () => Array.from({ length: 100 }, () => `+49 30 1 2 3 4 ${10_000 + next++}`)
  for (let n = 0; n < 100; n++) {
    const filter = { or: [phones(), phones()].map((value) => ({ field: 'phone', op: 'in', value })) }
    const { status } = await org.post('/segments', { entity: 'contact', name: `Segment ${n}`, filter })
    expect(status).toBe(201)
  }
  expect(await turnOf(org, '/segments', 400_000)).toBeLessThan(turnMax)
})

test('web events of 25 KiB are listed without a long turn of the thread', async () => {
  const org = await app.newOrg()
  const list = Array.from({ length: 5 }, () => [1, 'a', 2, 'b'])
  const properties = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`property${n}`, list]))
  const event = (n: number) => ({
    ...{ type: 'track', event: 'Large', anonymousId: 'a', messageId: `m${n}`, properties },
  })
  for (let n = 0; n < 100; n += 10) {
    const batch = Array.from({ length: 10 }, (_, at) => event(n + at))
    expect((await org.post('/v1/batch', { batch }, { prefix: '' })).status).toBe(200)
  }
  expect(await turnOf(org, '/tracking/events?limit=100', 2_000_000)).toBeLessThan(turnMax)
})
