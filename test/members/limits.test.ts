import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { FairLimiter } from '../../src/platform/db/fair-limiter.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { type Answer, startTestApp, type TestApp } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { whileLocked } from '../support/locked-table.ts'
import { Browser, newMember } from '../support/members.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('all members of one organization together send at most 100 requests a second', async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const members = await Promise.all(Array.from({ length: 15 }, () => newMember(app, org.orgId)))
  const neighbor = await newMember(app, other.orgId)
  // Stop the limiter's clock: a busy machine needs seconds for these requests.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const sent = members.flatMap((member) => Array.from({ length: 20 }, () => member.get('/organization')))
  const answers = Object.groupBy(await Promise.all(sent), ({ status }) => status)
  expect(answers['200']).toHaveLength(100)
  expect(answers['429']).toHaveLength(200)
  expect(new Set(answers['429']?.map(({ body }) => body.code))).toEqual(new Set(['rate_limit_exceeded']))
  expect((await neighbor.get('/organization')).status).toBe(200)
})

test('a member sends at most 50 requests a second, enough for a home page and two other pages', async () => {
  const member = await newMember(app, (await app.newOrg()).orgId)
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const sent = Array.from({ length: 60 }, () => member.get('/organization'))
  const answers = Object.groupBy(await Promise.all(sent), ({ status }) => status)
  expect(answers['200']).toHaveLength(50)
  expect(answers['429']).toHaveLength(10)
})

test('while changes of one organization wait for a lock, the people of others are answered', async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const members = await Promise.all(Array.from({ length: 6 }, () => newMember(app, org.orgId)))
  const neighbor = await newMember(app, other.orgId)
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  onTestFinished(() => release.resolve())
  const holding = app.app.context.database.org(org.orgId).transact(async (tx) => {
    await tx.rows(sql`select from org where org_id = ${org.orgId} for no key update`)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const waiting = members.map((member, at) => member.post('/teams', { name: `Team ${at}` }))
  await delay(200)
  // Without the limit, these requests wait until the waiting ones get 503.
  const answered = ['/members', '/session'].map(async (path) => (await neighbor.get(path)).status)
  expect(await Promise.all(answered)).toEqual([200, 200])
  release.resolve()
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(members.map(() => 201))
  await holding
})

test('while strangers wait for a lock, the people of an organization are answered', async () => {
  // The process does not know the session yet, and all of them have the same address.
  const member = await newMember(app, (await app.newOrg()).orgId)
  const strangers = Array.from({ length: 6 }, () => new Browser(app.address, null))
  let opened: Promise<Answer>[] = []
  // The lock is held on a connection of its own: a background task that waits for it uses another one of the four.
  await whileLocked(app, 'link', async () => {
    opened = strangers.map((stranger) => stranger.post('/links/open', { token: 'a'.repeat(43) }))
    await delay(200)
    // Without the limit, these requests wait until the waiting ones get 503.
    const answered = ['/members', '/session'].map(async (path) => (await member.get(path)).status)
    expect(await Promise.all(answered)).toEqual([200, 200])
  })
  expect((await Promise.all(opened)).map(({ status }) => status)).toEqual(strangers.map(() => 404))
})

test('requests of people about themselves share the connections of their organization', async () => {
  const org = await app.newOrg()
  const member = await newMember(app, org.orgId)
  const payers = vi.spyOn(FairLimiter.prototype, 'run')
  onTestFinished(() => payers.mockRestore())
  for (const path of ['/session', '/sessions']) {
    payers.mockClear()
    expect((await member.get(path)).status).toBe(200)
    expect(payers.mock.calls.map(([payer]) => payer)).toContain(`${org.orgId}:members`)
  }
  payers.mockClear()
  const elsewhere = await member.get('/organization', { headers: { 'x-org-id': (await app.newOrg()).orgId } })
  expect(elsewhere.status).toBe(403)
  expect(payers.mock.calls.map(([payer]) => payer)).toContain(`${org.orgId}:members`)
})

test('a person can be a member of at most 200 organizations', async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const [member, owner] = [await newMember(app, org.orgId), await newMember(app, other.orgId)]
  const join = async () => {
    const invited = await owner.post('/members/invites', { email: member.email, role: 'viewer' })
    return member.post('/links/use', { token: invited.body.data.url.split('#').at(-1) })
  }
  await withClient(app, (client) =>
    client.query(
      `with org as (
        insert into org (org_id, name) select gen_random_uuid(), 'One of many' from generate_series(1, 199) returning org_id)
      insert into membership (org_id, member_id, role, created_at) select org_id, $1, 'viewer', now() from org`,
      [member.memberId],
    ),
  )
  const refused = await join()
  expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached'])
  await withClient(app, (client) =>
    client.query(
      'delete from membership where ctid = (select ctid from membership where member_id = $1 limit 1)',
      [member.memberId],
    ),
  )
  expect((await join()).status).toBe(200)
})
