import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { recentRequests } from '../../src/platform/recent-requests.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { whileLocked } from '../support/locked-table.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
afterEach(() => vi.restoreAllMocks())

/** A body of this many events. Above 16 KiB, a body waits for its turn; lots of 1,000 events and more have a rest. */
const batchOf = (events: number) =>
  JSON.stringify({
    batch: Array.from({ length: events }, (_, n) => ({
      type: 'page',
      anonymousId: 'a1',
      messageId: `m${n}`,
    })),
  })
/** A body without an end is refused when it is read. */
const unreadable = (length: number) => `{"batch":["${'x'.repeat(length)}`

const send = (token: string, raw: string) =>
  app.stranger.post('/v1/batch', undefined, {
    ...{ prefix: '', raw },
    headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`${token}:`)}` },
  })

const newKey = async (org: TestOrg): Promise<string> =>
  (await org.post('/write-keys', { name: 'Site' })).body.data.key

test('while others are served, a large body of a payer is read only after the previous one is stored', async () => {
  vi.spyOn(recentRequests, 'areOfOthers').mockReturnValue(true)
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const [key, ofOther] = [await newKey(org), await newKey(other)]
  const answers: string[] = []
  const sent = async (name: string, token: string, raw: string) => {
    const { status } = await send(token, raw)
    answers.push(`${name} ${status}`)
  }
  const ofOrg: Promise<void>[] = []
  await whileLocked(
    app,
    'web_event',
    async (waiting) => {
      ofOrg.push(sent('first', org.token!, batchOf(1_000)))
      await waiting.until(1)
      ofOrg.push(sent('second', key, unreadable(20_000)))
      // Bodies that are sent later are read: a small one of the organization, and a large one of another organization.
      await sent('small', key, unreadable(100))
      await sent('other', ofOther, unreadable(20_000))
      expect(answers).toEqual(['small 400', 'other 400'])
    },
    'web_event',
  )
  await Promise.all(ofOrg)
  expect(answers.toSorted()).toEqual(['first 200', 'other 400', 'second 400', 'small 400'])
})
