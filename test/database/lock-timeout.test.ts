import { expect, test } from 'vitest'
import { setLockTimeout } from '../../src/platform/db/lock-timeout.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { sharedTestApp } from '../support/app.ts'

test.each([
  [500, 'the usual limit of a statement stays'],
  [120_000, 'a statement may run as long'],
])('with a wait of %i ms for a lock, %s', async (timeoutMs) => {
  const app = await sharedTestApp()
  const read = sql<{ name: string; ms: number }>`
    select name, setting::int as ms from pg_settings where name in ('lock_timeout', 'statement_timeout')`
  const limits = async (isSet: boolean) => {
    const rows = await app.operate(async (tx) => {
      if (isSet) await setLockTimeout(tx, timeoutMs)
      return await tx.rows(read)
    })
    return Object.fromEntries(rows.map(({ name, ms }) => [name, ms]))
  }
  const usual = (await limits(false)).statement_timeout!
  const expected = { lock_timeout: timeoutMs, statement_timeout: Math.max(usual, timeoutMs) }
  expect(usual).toBeGreaterThan(500)
  expect(usual).toBeLessThan(120_000)
  expect(await limits(true)).toEqual(expected)
  await app.close()
})
