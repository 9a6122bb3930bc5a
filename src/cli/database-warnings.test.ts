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
