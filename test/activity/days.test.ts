import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { createContact } from '../support/merges.ts'
import { makeOldDays } from '../support/old-days.ts'
import { readAllPages } from '../support/web-visitors.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const dayMs = 86_400_000
const today = Math.floor(Date.now() / dayMs)
const keptDays = 40

/**
 * Hours from the start of the UTC day under which an event is stored. A clock that is up to 7 days behind sends an earlier
 * day. An API key can send any earlier time.
 */
const hours = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 23 }) },
  { weight: 2, arbitrary: fc.integer({ min: 24, max: 8 * 24 - 1 }) },
  { weight: 1, arbitrary: fc.integer({ min: -3_000, max: -1 }) },
)
const daysAgo = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: keptDays + 20 }))
const stored = fc.array(fc.record({ visitor: fc.nat(2), daysAgo, hours }), { minLength: 1, maxLength: 60 })

test('a timeline has every event of every visitor once, in order, whatever the days under which they are stored', async () => {
  await makeOldDays(app, keptDays)
  await fc.assert(
    fc.asyncProperty(stored, fc.constantFrom(4, 25), async (all, limit) => {
      const org = await app.newOrg()
      const contactId = await createContact(org, { external_ids: { user_id: 'ada' } })
      const visitors = [randomUUID(), randomUUID(), randomUUID()].sort()
      const made = all
        .map(({ visitor, daysAgo: days, hours }) => ({
          ...{ key: randomUUID(), visitor: visitors[visitor] ?? '', day: today - days },
          at: Math.min((today - days) * dayMs + hours * 3_600_000, Date.now()),
        }))
        .sort((one, other) => other.at - one.at || (other.key < one.key ? -1 : 1))
      await store(org.orgId, made)
      const kept = made.filter(({ day }) => day >= today - keptDays)
      const items = await readAllPages(
        org,
        `/contacts/${contactId}/activity?kinds=web_event&limit=${limit}`,
        'items',
      )
      expect(items.map(({ object_id: key }) => key)).toEqual(kept.map(({ key }) => key))
      const visitor = made[0]?.visitor
      const events = await readAllPages(org, `/visitors/${visitor}/events?limit=${limit}`, 'events')
      expect(events.map(({ event_id: key }) => key)).toEqual(
        kept.filter((each) => each.visitor === visitor).map(({ key }) => key),
      )
    }),
    { numRuns: 5, endOnFailure: true },
  )
})

/** Stores page views that name the user. Visitors remember all days, also those whose partitions were dropped. */
async function store(
  orgId: string,
  events: readonly { key: string; visitor: string; day: number; at: number }[],
) {
  const rows = JSON.stringify(
    events.map(({ key, visitor, day, at }) => ({
      ...{ key, visitor, day: new Date(day * dayMs).toISOString().slice(0, 10), at: new Date(at) },
      kept: day >= today - keptDays,
    })),
  )
  const recordset = `json_to_recordset($2::json) as e (key uuid, visitor uuid, day date, at timestamptz, kept boolean)`
  await runAsOwner(
    app.databaseUrl,
    `insert into web_event (org_id, mode, day, message_key, occurred_at, received_at, is_late, visitor_id, user_key, type, trust,
       properties, context)
     select $1, 'live', day, key, at, greatest(at, day), false, visitor, 'ada', 'page', 3, '{}', '{}' from ${recordset} where kept`,
    [orgId, rows],
  )
  await runAsOwner(
    app.databaseUrl,
    `insert into visitor (org_id, visitor_id, mode, first_seen_at, last_seen_at, days, last_day, events, views, user_key,
       user_trust, user_at)
     select $1, visitor, 'live', min(at), max(at), array_agg(distinct day), max(day), count(*), count(*), 'ada', 3, max(at)
     from ${recordset} group by visitor`,
    [orgId, rows],
  )
}
