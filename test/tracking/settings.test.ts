import { afterAll, expect, test } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { deleteOldEvents } from '../../src/tracking/store/short-retention.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'

const app = await startTestApp({ trackingRetentionDays: 90, trustProxy: true })
afterAll(() => app.close())
const path = '/tracking/settings'
const dayMs = 86_400_000

test('an organization keeps events for 180 days by default, or for as long as the server keeps them', async () => {
  const org = await app.newOrg()
  const { status, body, headers } = await org.get(path)
  expect([status, headers.get('etag')]).toEqual([200, '"1"'])
  expect(body.data).toEqual({
    ...{ retention_days: 90, retention_days_max: 90, cookieless: false, respect_dnt: false },
    ...{ identify_creates: false, version: 1, updated_at: null },
  })
})

test('a change of settings is stored with a new version and an event, and an equal value changes nothing', async () => {
  const org = await app.newOrg()
  const { body, headers } = await org.patch(path, { retention_days: 30 })
  expect([body.data.retention_days, headers.get('etag')]).toEqual([30, '"2"'])
  expect((await org.patch(path, { retention_days: 30 })).body.data.version).toBe(2)
  expect((await org.patch(path, {})).body.data.version).toBe(2)
  const { data } = (await org.get('/events?type=tracking_settings.updated')).body
  expect(data).toHaveLength(1)
  expect(data[0]).toMatchObject({ object_id: org.orgId, changed: ['retention_days'] })
  const stale = await org.patch(path, { retention_days: 31 }, { headers: { 'if-match': '"1"' } })
  expect([stale.status, stale.body.code]).toEqual([409, 'version_conflict'])
  const other = await app.newOrg()
  expect((await other.get(path)).body.data.retention_days).toBe(90)
})

test.each([
  [0, 'greater than or equal to 1'],
  [91, 'this server keeps events for 90 days: send at most 90'],
  [1_096, '1095'],
  [1.5, 'integer'],
  [null, 'integer'],
])('retention_days %j is refused with the reason', async (retention_days, reason) => {
  const org = await app.newOrg()
  const { status, body } = await org.patch(path, { retention_days })
  expect([status, body.detail[0].loc]).toEqual([422, ['body', 'retention_days']])
  expect(body.detail[0].msg).toContain(reason)
})

test('reading needs tracking:read, and changing needs tracking:manage', async () => {
  const org = await app.newOrg()
  const reader = await app.newKey(org.orgId, { permissions: ['tracking:read'] })
  const writer = await app.newKey(org.orgId, { permissions: ['tracking:write'] })
  const stranger = await app.newKey(org.orgId, { permissions: ['contacts:manage'] })
  expect((await reader.get(path)).status).toBe(200)
  expect((await writer.patch(path, { retention_days: 30 })).status).toBe(403)
  expect((await stranger.get(path)).status).toBe(403)
})

test('only events older than the retention of their own organization are deleted', async () => {
  const [short, long] = [await app.newOrg(), await app.newOrg()]
  await short.patch(path, { retention_days: 3 })
  for (const org of [short, long]) await sendEventsOfDays(org, 6)
  expect(await deleteOldEvents(system(app.app.context.database), 90)).toBe(3)
  expect(await daysOf(short)).toEqual([0, 1, 2, 3].map(dayBack))
  expect(await daysOf(long)).toHaveLength(7)
  expect(await deleteOldEvents(system(app.app.context.database), 90)).toBe(0)
})

test('a retention longer than the retention of the server deletes nothing', async () => {
  const org = await app.newOrg()
  await org.patch(path, { retention_days: 5 })
  await sendEventsOfDays(org, 6)
  expect(await deleteOldEvents(system(app.app.context.database), 4)).toBe(0)
  expect(await daysOf(org)).toHaveLength(7)
})

const dayBack = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)

/** Events of today and of each of `days` days before. */
async function sendEventsOfDays(org: TestOrg, days: number): Promise<void> {
  const batch = Array.from({ length: days + 1 }, (_, back) => ({
    ...{ type: 'track', event: 'Seen', anonymousId: 'a1', messageId: `m${back}` },
    timestamp: Date.now() - back * dayMs,
  }))
  const sent = await org.post('/v1/batch', { batch, sentAt: Date.now() }, { prefix: '' })
  expect(sent.status, sent.text).toBe(200)
}

const daysOf = async ({ orgId }: TestOrg) =>
  (
    await runAsOwner<{ day: string }>(
      app.databaseUrl,
      'select day::text from web_event where org_id = $1 order by day desc',
      [orgId],
    )
  ).map(({ day }) => day)
