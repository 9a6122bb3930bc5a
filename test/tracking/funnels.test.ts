import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { runs } from '../support/runs.ts'
import { newSite, postEvents } from '../support/web-visitors.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const hourMs = 3_600_000

async function funnel(org: TestOrg, body: object): Promise<number[]> {
  const answer = await org.post('/tracking/reports/funnel', body)
  expect([answer.status, answer.body.detail]).toEqual([200, undefined])
  return answer.body.data.steps.map(({ visitors }: { visitors: number }) => visitors)
}

test('a funnel counts the visitors who did the steps in order within the window', async () => {
  const { org, key } = await newSite(app)
  const now = Date.now()
  const page = (anonymousId: string, hoursAgo: number, path: string) => ({
    ...{ type: 'page', anonymousId, properties: { path } },
    ...{ timestamp: new Date(now - hoursAgo * hourMs), messageId: `${anonymousId} ${hoursAgo}` },
  })
  const signUp = (anonymousId: string, hoursAgo: number) => ({
    ...{ ...page(anonymousId, hoursAgo, '/'), type: 'track', event: 'Signed Up' },
  })
  const events = [
    ...[page('all', 5, '/pricing/team'), page('all', 4, '/signup'), signUp('all', 3)],
    ...[page('late', 60, '/pricing'), page('late', 30, '/signup'), signUp('late', 3)],
    ...[page('wrong order', 5, '/signup'), page('wrong order', 4, '/pricing'), signUp('wrong order', 3)],
    ...[page('again', 60, '/pricing'), page('again', 5, '/pricing'), page('again', 4, '/signup')],
    ...[page('once', 5, '/pricing')],
  ]
  await postEvents(app, key, events)
  await postEvents(app, key, events.toReversed())
  const steps = [
    { kind: 'page', value: '/pricing', match: 'starts_with' },
    { kind: 'page', value: '/signup' },
    { kind: 'event', value: 'Signed', match: 'contains' },
  ]
  expect(await funnel(org, { steps, window_days: 1 })).toEqual([5, 2, 1])
  expect(await funnel(org, { steps, window_days: 7 })).toEqual([5, 3, 2])
  const from = Math.floor((now - 10 * hourMs) / 1000)
  expect(await funnel(org, { steps, from })).toEqual([4, 2, 1])
  // The latest time that the API reads, at the end of the year 9999.
  const to = 253_402_300_799
  expect(await funnel(org, { steps, from: to - 86_400, to })).toEqual([0, 0, 0])
  for (const refused of [{ steps: steps.slice(0, 1) }, { steps, from: 20, to: 10 }, { steps, from: 0 }])
    expect((await org.post('/tracking/reports/funnel', refused)).status).toBe(422)
})

test('a funnel equals a naive model, for any events of a visitor', async () => {
  const paths = ['/a', '/b', '/c']
  const event = fc.record({ visitor: fc.nat(2), path: fc.nat(2), minutesAgo: fc.nat(4_000) })
  const history = fc.uniqueArray(event, {
    selector: ({ minutesAgo }) => minutesAgo,
    minLength: 1,
    maxLength: 14,
  })
  await fc.assert(
    fc.asyncProperty(history, async (events) => {
      const { org, key } = await newSite(app)
      const begun = Date.now()
      const sent = events.map(({ visitor, path, minutesAgo }, n) => ({
        ...{ type: 'page', anonymousId: `a${visitor}`, properties: { path: paths[path] } },
        ...{ timestamp: new Date(begun - minutesAgo * 60_000), messageId: `m${n}` },
      }))
      await postEvents(app, key, sent)
      const steps = paths.map((value) => ({ kind: 'page', value }))
      const reached = [0, 1, 2].map((visitor) => {
        const own = events
          .filter((each) => each.visitor === visitor)
          .toSorted((one, other) => other.minutesAgo - one.minutesAgo)
        // Try every choice of events for the steps.
        const depth = (step: number, from: number, startedAgo: number): number =>
          Math.max(
            step,
            ...own.map((each, at) => {
              const began = step === 0 ? each.minutesAgo : startedAgo
              const fits = at >= from && each.path === step && began - each.minutesAgo <= 24 * 60
              return fits ? depth(step + 1, at + 1, began) : step
            }),
          )
        return depth(0, 0, 0)
      })
      const expected = steps.map((_, step) => reached.filter((depth) => depth > step).length)
      expect(await funnel(org, { steps, window_days: 1 })).toEqual(expected)
    }),
    { numRuns: runs(4, 25) },
  )
}, 60_000)
