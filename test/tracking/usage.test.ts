import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { TotalsFolder } from '../../src/platform/db/fold-totals.ts'
import { system } from '../../src/platform/db/system.ts'
import { eventTotals } from '../../src/tracking/store/counts.ts'
import { type Options, sharedTestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { expectWithin } from '../support/within.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const scope = system(app.app.context.database)
const fold = () => new TotalsFolder(scope, [eventTotals]).fold()

type Counts = { accepted: number; duplicate: number; bot: number; dropped: number; refused: number }
type Problem = {
  outcome: string
  reason: string
  n: number
  hint: string
  sample: Record<string, unknown> | null
}
type Usage = {
  totals: Counts
  series: { name: keyof Counts; points: [number, number][] }[]
  write_keys: { write_key_id: string | null; name: string | null; counts: Counts }[]
  problems: Problem[]
}

const none: Counts = { accepted: 0, duplicate: 0, bot: 0, dropped: 0, refused: 0 }

async function usageOf(client: TestClient, query = ''): Promise<Usage> {
  const { status, body } = await client.get(`/tracking/usage?${query}`)
  expect([status, body.detail]).toEqual([200, undefined])
  return body.data
}

async function newKey(org: TestOrg, body: object = {}): Promise<{ key: string; id: string }> {
  const { data } = (await org.post('/write-keys', { name: 'Site', ...body })).body
  return { key: data.key, id: data.write_key_id }
}

let addresses = 0
/** Sends a batch from an address of its own. */
function send(key: string, batch: unknown, { headers = {}, ...options }: Options = {}) {
  const address = `10.${5 + (++addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}`
  const all = { 'x-forwarded-for': address, 'x-write-key': key, ...headers }
  return app.stranger.post('/v1/batch', { batch }, { prefix: '', headers: all, ...options })
}

const track = (messageId: string, more: object = {}) => ({
  ...{ type: 'track', event: 'Seen', anonymousId: 'a1', messageId, ...more },
})

const storedOf = async ({ orgId }: TestOrg) =>
  (
    await runAsOwner<{ n: number }>(
      app.databaseUrl,
      'select count(*)::int as n from web_event where org_id = $1',
      [orgId],
    )
  )[0]!.n

describe('counts', () => {
  test('accepted, duplicate and dropped events are counted by key, and repeated events count as accepted once', async () => {
    const org = await app.newOrg()
    const [one, two] = [await newKey(org), await newKey(org, { name: 'Shop' })]
    await send(one.key, [track('m1'), track('m2'), track('m1'), {}, null])
    await send(one.key, [track('m1'), track('m2')])
    await send(two.key, [track('m2'), track('m3')])
    await org.post('/v1/batch', { batch: [track('m1'), track('m4'), track('m5')] }, { prefix: '' })
    const usage = await usageOf(org)
    expect(usage.totals).toEqual({ ...none, accepted: 6, duplicate: 4, dropped: 2 })
    expect(usage.write_keys).toEqual([
      { write_key_id: null, name: null, counts: { ...none, accepted: 3 } },
      { write_key_id: one.id, name: 'Site', counts: { ...none, accepted: 2, duplicate: 3, dropped: 2 } },
      { write_key_id: two.id, name: 'Shop', counts: { ...none, accepted: 1, duplicate: 1 } },
    ])
    expect((await usageOf(org, `write_key_id=${two.id}`)).totals).toEqual({
      ...none,
      accepted: 1,
      duplicate: 1,
    })
    await org.delete(`/write-keys/${two.id}`)
    expect((await usageOf(org)).write_keys).toContainEqual({
      ...{ write_key_id: two.id, name: null, counts: { ...none, accepted: 1, duplicate: 1 } },
    })
  })

  test('the numbers are for the requested mode, or by default for the mode of the caller', async () => {
    const org = await app.newOrg()
    const [live, trial] = [await newKey(org), await newKey(org, { mode: 'test' })]
    const tester = await app.newKey(org.orgId, { mode: 'test', permissions: ['tracking:read'] })
    await send(live.key, [track('m1')])
    await send(trial.key, [track('m2'), track('m3')])
    expect((await usageOf(org)).totals.accepted).toBe(1)
    expect((await usageOf(tester)).totals.accepted).toBe(2)
    expect((await usageOf(tester, 'mode=live')).totals.accepted).toBe(1)
    expect((await usageOf(await app.newOrg())).totals).toEqual(none)
  })

  test('each hour or day has its number, and events outside the range do not count', async () => {
    const org = await app.newOrg()
    const { key } = await newKey(org)
    await send(key, [track('m1'), track('m2')])
    const now = Math.floor(Date.now() / 1000)
    const [hour, day] = [now - (now % 3_600), now - (now % 86_400)]
    const accepted = (usage: Usage) => usage.series.find(({ name }) => name === 'accepted')!.points
    const hours = accepted(await usageOf(org))
    expect(hours.length).toBeGreaterThanOrEqual(24)
    expect(hours.filter(([, n]) => n > 0)).toEqual([[hour, 2]])
    expect(accepted(await usageOf(org, 'step=day')).filter(([, n]) => n > 0)).toEqual([[day, 2]])
    expect((await usageOf(org, `from=${hour - 7_200}&to=${hour}`)).totals).toEqual(none)
    expect((await usageOf(org, `from=${hour}&to=${hour + 1}`)).totals.accepted).toBe(2)
    await fold()
    expect((await usageOf(org, `from=${hour}&to=${hour + 1}`)).totals.accepted).toBe(2)
  })

  test('for any requests, the numbers equal those of a naive model and of the rows, before and after folding', async () => {
    const kind = fc.constantFrom('good', 'no_id', 'no_event_name', 'unknown_type', 'not_an_object')
    const item = fc.record({ kind, message: fc.nat(30) })
    const request = fc.record({
      key: fc.constantFrom(0, 1),
      items: fc.array(item, { maxLength: 12 }),
      folds: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 8 }), async (requests) => {
        const org = await app.newOrg()
        const keys = [await newKey(org), await newKey(org)]
        const stored = new Set<number>()
        const expected = { ...none }
        const reasons: Record<string, number> = {}
        const sent = requests.map(async ({ key, items, folds }) => {
          const batch = items.map((each) => rawOf(each.kind, each.message))
          const answer = await send(keys[key]!.key, batch)
          expect(answer.status).toBe(200)
          if (folds) await fold()
        })
        for (const { items } of requests)
          for (const { kind: sort, message } of items) {
            if (sort !== 'good') {
              expected.dropped++
              reasons[sort] = (reasons[sort] ?? 0) + 1
            } else if (stored.has(message)) expected.duplicate++
            else {
              stored.add(message)
              expected.accepted++
            }
          }
        await Promise.all(sent)
        for (let n = 0; n < 2; n++) {
          const usage = await usageOf(org)
          expect(usage.totals).toEqual(expected)
          expect(Object.fromEntries(usage.problems.map((each) => [each.reason, each.n]))).toEqual(reasons)
          expect(await storedOf(org)).toBe(usage.totals.accepted)
          await fold()
        }
      }),
      { numRuns: 12 },
    )
  })

  test('a range that is too long or reversed is refused with the reason', async () => {
    const org = await app.newOrg()
    for (const query of [
      'from=1000000000&to=1100000000',
      'from=5&to=5',
      'step=week',
      'write_key_id=x',
      'mode=all',
    ])
      expect([query, (await org.get(`/tracking/usage?${query}`)).status]).toEqual([query, 422])
    const writer = await app.newKey(org.orgId, { permissions: ['contacts:manage'] })
    expect((await writer.get('/tracking/usage')).status).toBe(403)
  })
})

const rawOf = (kind: string, message: number): unknown => {
  const event = track(`m${message}`)
  if (kind === 'no_id') return { ...event, anonymousId: undefined }
  if (kind === 'no_event_name') return { ...event, event: '' }
  if (kind === 'unknown_type') return { ...event, type: 'sing' }
  return kind === 'good' ? event : null
}

describe('problems', () => {
  const problemsOf = async (org: TestOrg, query = '') => (await usageOf(org, query)).problems

  test('a dropped event is listed with its reason, its cure, and a sample without personal data', async () => {
    const org = await app.newOrg()
    const { key, id } = await newKey(org)
    const context = {
      library: { name: 'analytics.js', version: 'npm:next-1.84.3' },
      traits: { email: 'ada@example.com' },
    }
    const event = track('m1', {
      ...{ anonymousId: '', event: 'Mail of ada@example.com, order 4155550100' },
      context,
    })
    await send(key, [{ ...event, properties: { secret: 'x' } }], {
      headers: { origin: 'https://www.example.com' },
    })
    await expectWithin(10_000, async () => (await problemsOf(org))[0]?.sample !== null, true)
    const [problem] = await problemsOf(org)
    expect(problem).toMatchObject({
      ...{
        outcome: 'dropped',
        reason: 'no_id',
        n: 1,
        hint: 'Send `anonymousId` or `userId` with each event.',
      },
      sample: {
        ...{
          write_key_id: id,
          type: 'track',
          name: 'Mail of … order …',
          library: 'analytics.js npm:next-1.84.3',
        },
        origin: 'https://www.example.com',
      },
    })
    expect(Object.keys(problem!.sample!).sort()).toEqual([
      'at',
      'library',
      'name',
      'origin',
      'type',
      'write_key_id',
    ])
  })

  test('a refused request is counted under the code of its answer, with the site that sent it', async () => {
    const org = await app.newOrg()
    const site = await newKey(org, { origins: ['https://www.example.com'], limits: { events_per_second: 1 } })
    const headers = { origin: 'https://evil.example' }
    expect((await send(site.key, [track('m1')], { headers })).status).toBe(403)
    const own = { headers: { origin: 'https://www.example.com' } }
    expect((await send(site.key, undefined, { ...own, raw: '{' })).status).toBe(400)
    expect((await send(site.key, undefined, { ...own, raw: ' '.repeat(1 << 21) })).status).toBe(413)
    const many = Array.from({ length: 9 }, () => track(randomUUID()))
    expect((await send(site.key, many, own)).status).toBe(200)
    expect((await send(site.key, many, own)).status).toBe(429)
    const reasons = async () =>
      Object.fromEntries((await problemsOf(org)).map(({ reason, n }) => [reason, n]))
    const expected = {
      origin_not_allowed: 1,
      events_unreadable: 1,
      body_too_large: 1,
      rate_limit_exceeded: 1,
    }
    await expectWithin(10_000, async () => (await usageOf(org)).totals.refused, 4)
    expect(await reasons()).toEqual(expected)
    const [refused] = (await problemsOf(org)).filter(({ reason }) => reason === 'origin_not_allowed')
    expect(refused!.sample).toMatchObject({
      origin: 'https://evil.example',
      name: null,
      write_key_id: site.id,
    })
    expect(refused!.hint).toContain('origin')
    expect((await usageOf(org)).totals).toEqual({ ...none, accepted: 9, refused: 4 })
  })

  test('a call that the write key may not make counts as a dropped event, not as a refused request', async () => {
    const org = await app.newOrg()
    const { key } = await newKey(org, { purposes: ['identify'] })
    expect((await send(key, [track('m1')])).status).toBe(403)
    expect((await usageOf(org)).totals).toEqual({ ...none, dropped: 1 })
    expect((await problemsOf(org))[0]!.reason).toBe('purpose_not_allowed')
  })
})
