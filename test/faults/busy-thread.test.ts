import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { OrgBusy } from '../../src/platform/db/errors.ts'
import { FairLimiter } from '../../src/platform/db/fair-limiter.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'

// The tests block the thread for longer than any wait for the database. Overdue timeouts then fire before Node.js
// reads the answers.
const lines: string[] = []
const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
const limits = { connectionWaitMs: 1_500, statementTimeoutMs: 1_500, appConnections: 2 }
const app = await startTestApp({ role: 'api' }, undefined, log, limits)
afterAll(() => app.close())

function keepBusy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const backends = async () => {
  const text = `select pid from pg_stat_activity where datname = current_database()
    and application_name in ('crosswalk_app', 'crosswalk keys')`
  return (await runAsOwner<{ pid: number }>(app.databaseUrl, text)).map(({ pid }) => pid)
}

test('a blocked event loop costs no connection and no request, and its delay is in the metrics', async () => {
  const org = await app.newOrg()
  await Promise.all([1, 2].map(() => org.get('/contacts')))
  const before = await backends()
  for (let round = 0; round < 2; round++) {
    const asked = Array.from({ length: 12 }, () => org.get('/contacts'))
    const ready = app.stranger.get('/readyz', { prefix: '' })
    // Wait until the requests wait for the database or for a connection.
    await delay(5)
    keepBusy(3_100)
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200))
    expect((await ready).body).toMatchObject({ database: 'up' })
    await delay(600)
  }
  expect(await backends()).toEqual(expect.arrayContaining(before))
  expect(lines).toEqual([])
  const { text } = await app.stranger.get('/metrics', { prefix: '' })
  expect(Number(/^crosswalk_thread_busy_seconds (.*)$/m.exec(text)![1])).toBeGreaterThan(2.9)
})

test('a request is refused if it gets no database connection in time although the event loop is free', async () => {
  const turns = new FairLimiter({ max: 1, waitMs: 50 })
  const never = Promise.withResolvers<void>()
  const first = turns.run('a', () => never.promise)
  await expect(turns.run('a', async () => {})).rejects.toThrow(OrgBusy)
  never.resolve()
  await first
})
