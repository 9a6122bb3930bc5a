import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { runs } from '../support/runs.ts'
import { newSite, postEvents, readData, visitorPath } from '../support/web-visitors.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const minuteMs = 60_000

test('visitors match their events, for any order, repetition and concurrency of requests', async () => {
  const sent = fc.record({
    n: fc.nat(11),
    visitor: fc.nat(2),
    minutesAgo: fc.nat(9_000),
    isPage: fc.boolean(),
    user: fc.option(fc.constantFrom('u1', 'u2')),
    campaign: fc.option(fc.constantFrom('May', 'June')),
    isServer: fc.boolean(),
  })
  const history = fc.uniqueArray(sent, {
    selector: ({ minutesAgo }) => minutesAgo,
    minLength: 1,
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(history, fc.infiniteStream(fc.nat(5)), async (events, size) => {
      const { org, key, server } = await newSite(app)
      const begun = Date.now()
      const raw = events.map((event, at) => ({
        ...(event.isPage ? { type: 'page' } : { type: 'track', event: 'Seen' }),
        ...{ anonymousId: `a${event.visitor}`, messageId: `m${at}`, userId: event.user },
        timestamp: new Date(begun - event.minutesAgo * minuteMs),
        ...(event.campaign && { context: { campaign: { name: event.campaign } } }),
      }))
      const indexes = [...events.keys()]
      const lots: number[][] = []
      for (let from = 0; from < indexes.length; ) {
        const n = 1 + (size.next().value as number)
        lots.push(indexes.slice(from, from + n))
        from += n
      }
      const sendLot = async (lot: number[]) => {
        for (const isServer of [true, false]) {
          const own = lot.filter((at) => events[at]!.isServer === isServer).map((at) => raw[at]!)
          if (own.length > 0) await postEvents(app, isServer ? server : key, own)
        }
      }
      await Promise.all([...lots, ...lots].map(sendLot))
      for (const visitor of new Set(events.map((event) => event.visitor))) {
        const own = events.filter((event) => event.visitor === visitor)
        const oldest = own.toSorted((one, other) => other.minutesAgo - one.minutesAgo)
        const users = own.filter(({ user }) => user !== null)
        const best = users.toSorted(
          (one, other) => Number(other.isServer) - Number(one.isServer) || one.minutesAgo - other.minutesAgo,
        )[0]
        const lastSource = oldest.findLast(({ campaign }) => campaign !== null)?.campaign ?? null
        expect(await readData(org, visitorPath(org, `a${visitor}`))).toMatchObject({
          events: own.length,
          views: own.filter(({ isPage }) => isPage).length,
          user_key: best?.user ?? null,
          user_trust: best ? (best.isServer ? 'trusted' : 'claimed') : null,
          first_source: oldest[0]!.campaign === null ? null : { campaign: oldest[0]!.campaign },
          last_source: lastSource === null ? null : { campaign: lastSource },
        })
      }
    }),
    { numRuns: runs(3, 20) },
  )
}, 120_000)
