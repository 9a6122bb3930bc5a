import { expect, test } from 'vitest'
import { databaseWarnings } from './database-warnings.ts'

const config = { databaseUrl: null, directDatabaseUrl: null, pooler: 'session' as const }
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('doctor warns if the last partition of the event log ends within 60 days', () => {
  const [late = '', ...others] = databaseWarnings({ event_log_until: dayIn(58) }, config)
  expect(late).toContain(`no partition for ${dayIn(58)} and later`)
  expect(others).toEqual([])
  for (const facts of [{ event_log_until: dayIn(70) }, {}])
    expect(databaseWarnings(facts, config)).toEqual([])
})

test.each([
  [3_600, '3,600 s ahead of'],
  [-11, '11 s behind'],
])('doctor warns if the clock of its machine is %i s ahead of the clock of PostgreSQL', (seconds, shown) => {
  const [warning, ...others] = databaseWarnings({ clock_seconds_ahead: seconds }, config)
  expect(warning).toContain(`The clock of this machine is ${shown} PostgreSQL's.`)
  expect(others).toEqual([])
})

test('doctor does not warn if the clocks differ by less than 10 s', () => {
  for (const seconds of [0, 9, -9])
    expect(databaseWarnings({ clock_seconds_ahead: seconds }, config)).toEqual([])
})
