import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'
import { place, simulatedCalls } from '../support/simulated-calls.ts'

const app = await startTestApp()
afterAll(() => app.close())
const { caller } = simulatedCalls(app)

test('while new calls of an organization wait for each other, they use two connections, and its other requests are answered', async () => {
  const org = await caller()
  await org.patch('/voice/settings', { concurrent_call_cap: 20 })
  let placing: ReturnType<typeof place>[] = []
  await withClient(app, (locker) =>
    withClient(app, async (counter) => {
      const waiting = async () => {
        const { rows } = await counter.query<{ waiting: number }>(`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and usename like '%app' and wait_event_type = 'Lock'`)
        return rows[0]!.waiting
      }
      await locker.query('begin; lock table call in access exclusive mode')
      placing = Array.from({ length: 20 }, () => place(org))
      await expect.poll(waiting, patience).toBeGreaterThanOrEqual(2)
      for (let n = 0; n < 10; n++) expect((await org.get('/contacts')).status).toBe(200)
      expect(await waiting()).toBe(2)
      await locker.query('commit')
    }),
  )
  for (const { status } of await Promise.all(placing)) expect(status).toBe(201)
})
