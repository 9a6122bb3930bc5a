import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { startTestApp } from '../support/app.ts'

const app = await startTestApp()
afterAll(() => app.close())
afterEach(() => vi.useRealTimers())

const hourMs = 3_600_000

/** Changes the clock of the server's process, but neither its timers nor PostgreSQL's clock. */
function stepClock(byMs: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs })
}

test.each([
  ['back an hour', -hourMs],
  ['back a minute', -60_000],
  ['ahead an hour', hourMs],
])(
  'lists keep their order and rate limits, events and idempotency keys still work after the clock jumps %s',
  async (_name, byMs) => {
    const org = await app.newOrg({ limited: true })
    const headers = { 'idempotency-key': 'one' }
    const create = (n: number) => org.post('/contacts', { first_name: `${n}` })
    const kept = await org.post('/contacts', { first_name: '0' }, { headers })
    const before = [kept, await create(1), await create(2)]
    stepClock(byMs)
    const after = [await create(3), await create(4)]
    const created = [...before, ...after]
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])

    const newestFirst = created.map(({ body }) => body.data.contact_id).reverse()
    const listed = await org.get('/contacts')
    expect(listed.body.data.map((contact: { contact_id: string }) => contact.contact_id)).toEqual(newestFirst)
    const events = (await org.get('/events?type=contact.created')).body.data
    expect(events.map((event: { object_id: string }) => event.object_id)).toEqual(newestFirst)

    // Five creations and two lists count, because they were sent within one second.
    expect(Number(listed.headers.get('x-ratelimit-remaining'))).toBe(1_000 - 6)
    const changed = await org.patch(`/contacts/${newestFirst[4]}`, { city: 'London' })
    expect(changed.body.data.updated_at).toBeGreaterThanOrEqual(changed.body.data.created_at)
    const retry = await org.post('/contacts', { first_name: '0' }, { headers })
    expect([retry.text, retry.headers.get('idempotent-replayed')]).toEqual([kept.text, 'true'])
  },
)
