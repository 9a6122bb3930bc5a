import { afterAll, expect, test } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { finishErasures } from '../../src/tracking/store/erasure-queue.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { patience } from '../support/patience.ts'
import { newSite, visitorPath } from '../support/web-visitors.ts'

const app = await startTestApp()
afterAll(() => app.close())
const scope = system(app.app.context.database)

test('under constant load, the deletion of late events ends, and new events are stored meanwhile', async () => {
  const { org, server } = await newSite(app)
  const headers = { authorization: `Basic ${Buffer.from(`${server}:`).toString('base64')}` }
  let [stored, isOver] = [0, false]
  const statuses = new Set<number>()
  const post = async (...events: object[]) => {
    const batch = events.map((event) => ({ type: 'page', anonymousId: 'a1', ...event }))
    const body = { batch, sentAt: new Date() }
    statuses.add((await app.stranger.post('/v1/batch', body, { prefix: '', headers })).status)
    stored++
  }
  await post({ name: 'before' })
  const before = new Date(Date.now() - 1_000)
  const client = async () => {
    while (!isOver) await post({ name: 'before', timestamp: before }, { anonymousId: 'a2', name: 'other' })
  }
  const clients = Array.from({ length: 16 }, client)
  for (let round = 0; round < 5; round++) {
    await expect.poll(() => stored, patience).toBeGreaterThan(20 * (round + 1))
    expect([200, 404]).toContain((await org.post(`${visitorPath(org)}/erase`)).status)
    const sofar = stored
    await finishErasures(scope)
    // No client waits longer than the sweep.
    await expect.poll(() => stored, patience).toBeGreaterThan(sofar)
  }
  isOver = true
  await Promise.all(clients)
  await finishErasures(scope)
  expect(
    await runAsOwner(app.databaseUrl, 'select from web_event_erasure where org_id = $1', [org.orgId]),
  ).toEqual([])
  expect([...statuses]).toEqual([200])
  expect(
    await runAsOwner(app.databaseUrl, 'select distinct name from web_event where org_id = $1', [org.orgId]),
  ).toEqual([{ name: 'other' }])
}, 120_000)
