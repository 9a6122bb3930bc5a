import type { OrgTx } from '../platform/db/org-tx.ts'
import { writeLastSeen } from '../tracking/ingest/known-write-keys.ts'
import { noBrowser } from '../tracking/privacy/browser.ts'
import { storeSlice } from '../tracking/store/append.ts'
import { noWriteKey } from '../tracking/store/counts.ts'
import { makeDays } from '../tracking/store/days.ts'
import { hourOf } from '../tracking/store/slice.ts'
import { eventTypes, type WebEvent } from '../tracking/wire/event.ts'
import { readEvent } from '../tracking/wire/read-event.ts'
import { CreateWriteKey } from '../tracking/write-keys/schema.ts'
import { createWriteKey } from '../tracking/write-keys/write-keys.ts'
import { chance, integer, pick, type Random, seededRandom } from './random.ts'

const hourMs = 3_600_000
const visitors = 40
const daysOfVisits = 6
const site = 'https://shop.example'

const campaigns = [
  { source: 'newsletter', medium: 'email', name: 'Autumn tables' },
  { source: 'google', medium: 'cpc', name: 'Oak' },
  { source: 'linkedin', medium: 'social', name: 'Offices' },
]
const referrers = ['https://www.google.com', 'https://news.example', 'https://blog.example']
const pages = [
  ['/', 'Oak & Amber'],
  ['/tables', 'Tables'],
  ['/tables/oak', 'Oak table'],
  ['/tables/round', 'Round table'],
  ['/prices', 'Prices for offices'],
  ['/about', 'About us'],
] as const
const goods = [
  { product: 'Oak table', price: 249 },
  { product: 'Round table', price: 319 },
  { product: 'Side table', price: 89 },
]

/** The anonymous id of a visitor, counted from 0. */
export const demoVisitor = (index: number) => `demo-visitor-${index}`

/** An event as a client sends it. `at` is in Unix milliseconds. */
type DemoEvent = { at: number; isTrusted: boolean; raw: Record<string, unknown> }

/**
 * Adds a write key, and the events of the last 6 days in an invented shop. The visitors are people, some of whom signed
 * in, and one crawler.
 * @param userIds the ids of the people who signed in
 * @returns the write key, with which the demo page sends events
 */
export async function addWebEvents(tx: OrgTx, seed: number, userIds: readonly string[]): Promise<string> {
  // Accept every origin: the address of the demo page is not known yet.
  const { write_key_id: keyId, key } = await createWriteKey(
    tx,
    CreateWriteKey.parse({ name: 'Demo shop', mode: 'live' }),
  )
  await makeDays(tx)
  const said = visits(seededRandom(seed), Date.now(), userIds)
  const nameOf = ({ at, isTrusted }: DemoEvent) => `${isTrusted} ${hourOf(at)}`
  for (const slice of Map.groupBy(said, nameOf).values()) {
    const [first] = slice as [DemoEvent, ...DemoEvent[]]
    await storeSlice(tx, {
      ...{ orgId: tx.orgId, mode: 'live', keyId: first.isTrusted ? noWriteKey : keyId, receivedAt: first.at },
      ...{ events: slice.map((each) => stored(tx.orgId, each)), dropped: new Map() },
    })
  }
  const atMs = said.reduce((latest, { at }) => Math.max(latest, at), 0)
  await writeLastSeen(tx, [{ orgId: tx.orgId, writeKeyId: keyId, atMs }])
  return key
}

function stored(orgId: string, { at, isTrusted, raw }: DemoEvent): WebEvent {
  const event = readEvent(raw, {
    ...{ orgId, type: null, sentAt: null, receivedAt: at, isTrusted, allowed: new Set(eventTypes) },
    ...{ browser: noBrowser, respectsDnt: false, dailyVisitor: null, findVerified: null },
  })
  if (typeof event === 'string') throw new Error(`An event of the demo organization is dropped: ${event}`)
  return event
}

function visits(random: Random, now: number, userIds: readonly string[]): DemoEvent[] {
  const said: DemoEvent[] = []
  for (let visitor = 0; visitor < visitors; visitor += 1) {
    const anonymousId = demoVisitor(visitor)
    const userId = userIds[visitor]
    for (let visit = integer(random, 1, 3); visit > 0; visit -= 1) {
      // Keep a visit within one hour, so that its events are stored with few statements.
      const hour = hourOf(now) - integer(random, 0, daysOfVisits * 24) * hourMs
      const begins = Math.min(hour + integer(random, 0, 20) * 60_000, now - 60_000)
      said.push(...oneVisit(random, { begins, now, anonymousId, userId, session: `${visitor}-${visit}` }))
    }
  }
  const crawler = { webdriver: true, userAgent: 'Mozilla/5.0 (compatible; ExampleBot/1.0)' }
  said.push({ at: now - 120_000, isTrusted: false, raw: view('/tables', 'Tables', { context: crawler }) })
  return said
}

type Visit = { begins: number; now: number; anonymousId: string; userId: string | undefined; session: string }

function oneVisit(random: Random, { begins, now, anonymousId, userId, session }: Visit): DemoEvent[] {
  const said: DemoEvent[] = []
  const campaign = chance(random, 0.4) ? pick(random, campaigns) : undefined
  const referrer = campaign === undefined && chance(random, 0.5) ? pick(random, referrers) : undefined
  const context = {
    ...{ session_id: session, campaign, locale: 'en-US', gpc: chance(random, 0.1) || undefined },
    library: { name: 'crosswalk-browser', version: '1.0.0' },
  }
  let at = begins
  const add = (raw: Record<string, unknown>, isTrusted = false) => {
    const messageId = `${session}-${said.length}`
    said.push({ at: Math.min(at, now), isTrusted, raw: { anonymousId, messageId, ...raw } })
    at += integer(random, 5, 90) * 1_000
  }
  const [entry, title] = pick(random, pages)
  add(view(entry, title, { context, referrer }))
  if (userId !== undefined) add({ type: 'identify', userId, traits: { plan: 'office' }, context }, true)
  for (let n = integer(random, 0, 6); n > 0; n -= 1) {
    const [path, name] = pick(random, pages)
    add(view(path, name, { context, userId }))
    if (chance(random, 0.25))
      add({ type: 'track', event: 'Added To Cart', properties: pick(random, goods), userId, context })
  }
  return said
}

const view = (
  path: string,
  name: string,
  {
    context,
    referrer,
    userId,
  }: { context: object; referrer?: string | undefined; userId?: string | undefined },
) => ({
  ...{ type: 'page', name, userId },
  context: { ...context, page: { url: site + path, path, title: name, referrer } },
})
