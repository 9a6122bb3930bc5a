import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { applyFacts } from '../../src/tracking/identity/apply-facts.ts'
import { finishErasures } from '../../src/tracking/store/erasure-queue.ts'
import { sweepOnce } from '../../src/tracking/sweep.ts'
import { visitorIdOf } from '../../src/tracking/wire/ids.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { dumpTables, untilBlocked, withClient } from '../support/direct-sql.ts'
import { merge } from '../support/merges.ts'
import { patience } from '../support/patience.ts'
import { usageOf } from '../support/tracking-clients.ts'

const app = await startTestApp()
afterAll(() => app.close())
const scope = system(app.app.context.database)
const dayMs = 86_400_000

async function newSite(): Promise<{ org: TestOrg; key: string; server: string }> {
  const org = await app.newOrg()
  const { key } = (await org.post('/write-keys', { name: 'Site' })).body.data
  const { token } = await app.newKey(org.orgId, { permissions: ['tracking:write'] })
  return { org, key, server: token ?? '' }
}

async function send(key: string, ...events: object[]): Promise<void> {
  const batch = events.map((event) => ({ type: 'page', anonymousId: 'a1', ...event }))
  const answer = await app.stranger.post(
    '/v1/batch',
    { writeKey: key, batch, sentAt: new Date() },
    { prefix: '' },
  )
  expect(answer.status).toBe(200)
}

const namesOf = async ({ orgId }: TestOrg) => {
  const rows = await runAsOwner<{ name: string }>(
    app.databaseUrl,
    'select name from web_event where org_id = $1 order by name',
    [orgId],
  )
  return rows.map(({ name }) => name)
}

const erase = (org: TestOrg, anonymousId: string) =>
  org.post(`/visitors/${visitorIdOf(org.orgId, anonymousId)}/erase`)

describe('erasing a visitor', () => {
  test('erasing a visitor deletes all events of the visitor, and no other events', async () => {
    const { org, key } = await newSite()
    await send(key, { name: 'now' }, { name: 'before', timestamp: new Date(Date.now() - 3 * dayMs) })
    await send(key, { name: 'other', anonymousId: 'a2' })
    const visitorId = visitorIdOf(org.orgId, 'a1')
    const erased = await erase(org, 'a1')
    expect([erased.status, erased.body.data]).toEqual([200, { visitor_id: visitorId, erased: true }])
    expect(await namesOf(org)).toEqual(['other'])
    const [event] = (await org.get('/events')).body.data
    expect(event).toMatchObject({ type: 'visitor.erased', object_id: visitorId, data: null })
    expect((await erase(org, 'a1')).status).toBe(404)
    expect((await org.get(`/visitors/${visitorId}`)).status).toBe(404)
    expect((await org.get('/visitors')).body.data.visitors).toHaveLength(1)
  })

  test('erasing a visitor needs visitors:write and a visitor of the organization', async () => {
    const [{ org, key }, other] = [await newSite(), await newSite()]
    await send(key, { name: 'mine' })
    const path = `/visitors/${visitorIdOf(org.orgId, 'a1')}/erase`
    const reader = await app.newKey(org.orgId, { permissions: ['visitors:read', 'tracking:manage'] })
    expect((await reader.post(path)).status).toBe(403)
    expect((await other.org.post(path)).status).toBe(404)
    expect((await org.post(`/visitors/${randomUUID()}/erase`)).status).toBe(404)
    expect(await namesOf(org)).toEqual(['mine'])
    const writer = await app.newKey(org.orgId, { permissions: ['visitors:write'] })
    expect((await writer.post(path)).status).toBe(200)
  })

  test('erased events that a client sends again are not stored, and count as duplicates', async () => {
    const { org, key } = await newSite()
    const old = { name: 'old', messageId: 'm1', timestamp: new Date() }
    const withoutTime = { name: 'without time', messageId: 'm2' }
    await send(key, old, withoutTime)
    await erase(org, 'a1')
    await send(key, old, withoutTime)
    await send(
      key,
      { ...old, timestamp: new Date(Date.now() - 9 * dayMs) },
      { ...withoutTime, anonymousId: 'a2' },
    )
    expect(await namesOf(org)).toEqual([])
    expect(await usageOf(app, org.orgId)).toEqual({ accepted: 2, duplicate: 4 })
  })

  test('events from before an erasure that arrive after it are not stored, and later events are stored', async () => {
    const { org, key } = await newSite()
    await send(key, { name: 'sent' })
    await erase(org, 'a1')
    const inFuture = Date.now() + 60_000
    await send(key, { name: 'late', messageId: 'm3', timestamp: new Date(Date.now() - 60_000) })
    await send(key, { name: 'very late', messageId: 'm4', timestamp: new Date(Date.now() - 20 * dayMs) })
    expect(await namesOf(org)).toEqual([])
    // The clock of the erasure is 2 s ahead, because the clocks of two servers may differ.
    await expect
      .poll(
        async () => {
          await send(key, { name: 'later', timestamp: new Date(inFuture) })
          return (await namesOf(org)).length > 0
        },
        { timeout: 20_000, interval: 200 },
      )
      .toBe(true)
  })

  test('an erasure deletes events that are being stored at the same time', async () => {
    const { org, key } = await newSite()
    await send(key, { name: 'stored' })
    await withClient(app, async (client) => {
      await client.query('begin')
      await client.query(`select pg_advisory_xact_lock_shared(hashtextextended('storing web events', 0))`)
      await client.query(
        `insert into web_event
         select (e).* from (
           select jsonb_populate_record(e, jsonb_build_object('message_key', gen_random_uuid(), 'name', 'being stored')) as e
           from web_event e where org_id = $1) as copied`,
        [org.orgId],
      )
      expect((await erase(org, 'a1')).status).toBe(200)
      const sweeping = finishErasures(scope)
      await untilBlocked(client)
      await client.query('commit')
      await sweeping
    })
    expect(await namesOf(org)).toEqual([])
    // The server's own task may be finishing the same erasure.
    const left = async () => {
      await finishErasures(scope)
      return runAsOwner(app.databaseUrl, 'select from web_event_erasure where org_id = $1', [org.orgId])
    }
    await expect.poll(left, patience).toEqual([])
  })

  test('an erasure has effect for 30 days', async () => {
    const { org, key } = await newSite()
    const event = { name: 'old', messageId: 'm1' }
    await send(key, event)
    await erase(org, 'a1')
    await sweepOnce(scope, () => false, Date.now() + 29 * dayMs)
    await send(key, event)
    expect(await namesOf(org)).toEqual([])
    await sweepOnce(scope, () => false, Date.now() + 31 * dayMs)
    expect(
      await runAsOwner(app.databaseUrl, 'select from web_event_tombstone where org_id = $1', [org.orgId]),
    ).toEqual([])
  })
})

describe('erasing a contact', () => {
  const newContact = async (org: TestOrg, fields: object) =>
    (await org.post('/contacts', { first_name: 'Ada', ...fields })).body.data.contact_id as string

  test('erasing a contact deletes events with its ids and addresses, and events of browsers that an API key linked to them', async () => {
    const { org, key, server } = await newSite()
    const id = await newContact(org, {
      emails: ['Ada@example.com', 'ada@second.example'],
      external_ids: { app: 'user-7', user_id: '7', crm: '8' },
    })
    await send(
      server,
      { name: 'by contact id', anonymousId: undefined, userId: id },
      { name: 'by external id', anonymousId: undefined, userId: 'user-7' },
      { name: 'by user id', anonymousId: undefined, userId: '7' },
      { name: 'number of another system', anonymousId: undefined, userId: '8' },
      { name: 'by address', anonymousId: undefined, userId: 'ADA@example.com' },
      { type: 'track', event: 'by property', anonymousId: 'a9', properties: { email: 'ada@Second.example' } },
    )
    await send(
      key,
      { name: 'anonymous', anonymousId: 'a1' },
      { name: 'of bob', anonymousId: 'a1', userId: 'bob' },
    )
    await send(server, { name: 'links the browser', anonymousId: 'a1', userId: 'user-7' })
    await send(
      key,
      { name: 'claimed', anonymousId: 'a2', userId: 'user-7' },
      { name: 'not linked', anonymousId: 'a2' },
    )
    expect((await org.post(`/contacts/${id}/erase`)).status).toBe(200)
    expect(await namesOf(org)).toEqual(['not linked', 'number of another system', 'of bob'])
    const visitorOf = async (anonymousId: string) =>
      (await org.get(`/visitors/${visitorIdOf(org.orgId, anonymousId)}`)).body.data
    expect(await visitorOf('a1')).toMatchObject({ user_key: 'bob', user_trust: 'claimed', events: 1 })
    expect(await visitorOf('a2')).toMatchObject({ user_key: null, user_trust: null, events: 1 })
    expect(await visitorOf('a9')).toBeUndefined()
  })

  test('erasing a contact removes its events from every table, and repeated events are not stored', async () => {
    const { org, key, server } = await newSite()
    const traits = { email: 'ada@planted.example', name: 'Adaplanted', plan: 'planplanted' }
    const user = { userId: 'user-planted', anonymousId: 'browser-planted' }
    const identify = { ...user, type: 'identify', traits, messageId: 'm1' }
    const page = {
      ...user,
      name: 'Pageplanted',
      context: { page: { path: '/planted' }, traits },
      messageId: 'm2',
    }
    const track = {
      ...{ type: 'track', event: 'Seenplanted', anonymousId: 'browser-planted', messageId: 'm3' },
      ...{ properties: { note: 'noteplanted' }, context: { session_id: 'sessionplanted' } },
    }
    const sendAll = async () => {
      await send(server, identify, page)
      await send(key, page, track)
    }
    await sendAll()
    const id = await newContact(org, { email: traits.email, external_ids: { app: user.userId } })
    expect(await dumpTables(app)).toContain('noteplanted')
    // The identify call of the API key makes another contact of the same person.
    await applyFacts(scope, app.app.context)
    const ids = (await org.get('/contacts')).body.data.map((each: { contact_id: string }) => each.contact_id)
    expect([ids.length, ids.includes(id)]).toEqual([2, true])
    for (const each of ids) expect((await org.post(`/contacts/${each}/erase`)).status).toBe(200)
    await sendAll()
    await applyFacts(scope, app.app.context)
    await finishErasures(scope)
    await sendAll()
    // The reports are folded in the background.
    const left = async () => (await dumpTables(app)).split('\n').filter((line) => line.includes('planted'))
    await expect.poll(left, patience).toEqual([])
  })

  test('erasing a contact deletes the events of the contacts that it absorbed', async () => {
    const { org, server } = await newSite()
    const survivor = await newContact(org, { external_ids: { app: 'one' } })
    const loser = await newContact(org, { email: 'two@example.com', external_ids: { app: 'two' } })
    await merge(org, 'contact', survivor, loser)
    await send(
      server,
      ...['one', 'two', loser, survivor, 'two@example.com', 'three'].map((userId) => ({
        name: userId,
        userId,
      })),
    )
    await org.post(`/contacts/${loser}/erase`)
    expect(await namesOf(org)).toEqual(['three'])
  })
})

type Step = { do: 'send'; events: number[] } | { do: 'erase'; visitor: number } | { do: 'sweep' }

test('an erased event is never stored again, for any order of concurrent repeated requests', async () => {
  const visitors = 3
  const messages = 9
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      do: fc.constant('send' as const),
      events: fc.array(fc.nat(messages - 1), { minLength: 1, maxLength: 6 }),
    }),
    fc.record({ do: fc.constant('erase' as const), visitor: fc.nat(visitors - 1) }),
    fc.constant({ do: 'sweep' as const }),
  )
  const history = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(history, fc.boolean(), async (lots, saysTime) => {
      const { org, key } = await newSite()
      const timestamp = saysTime ? new Date() : undefined
      const event = (n: number) => ({
        name: `m${n}`,
        messageId: `m${n}`,
        anonymousId: `a${n % visitors}`,
        timestamp,
      })
      /** Messages that were stored before an erasure of their visitor began. */
      const erased = new Set<string>()
      for (const lot of lots) {
        const before = await namesOf(org)
        await Promise.all(
          lot.map(async (each) => {
            if (each.do === 'send') return send(key, ...each.events.map(event))
            if (each.do === 'sweep') return finishErasures(scope)
            const { status } = await erase(org, `a${each.visitor}`)
            expect([200, 404]).toContain(status)
            if (status === 404) return
            for (const name of before) if (Number(name.slice(1)) % visitors === each.visitor) erased.add(name)
          }),
        )
        await finishErasures(scope)
        const now = await namesOf(org)
        expect(now.filter((name) => erased.has(name))).toEqual([])
        for (let visitor = 0; visitor < visitors; visitor++) {
          const path = `/visitors/${visitorIdOf(org.orgId, `a${visitor}`)}`
          const events = (await org.get(path)).body.data?.events ?? 0
          expect(events).toBe(now.filter((name) => Number(name.slice(1)) % visitors === visitor).length)
        }
      }
    }),
    { numRuns: Number(process.env.HISTORIES ?? 15) },
  )
}, 120_000)
