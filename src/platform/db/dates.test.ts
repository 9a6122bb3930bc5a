import utils from 'pg/lib/utils.js'
import { afterEach, expect, test, vi } from 'vitest'
import './address.ts'

afterEach(() => vi.unstubAllEnvs())

// PostgreSQL refuses offsets of 16 hours and more.
test.each(['UTC', 'UTC+25', 'Pacific/Kiritimati'])('a date is sent in UTC with TZ=%s', (TZ) => {
  vi.stubEnv('TZ', TZ)
  expect(utils.prepareValue(new Date(Date.UTC(2026, 10, 29, 23, 5)))).toBe('2026-11-29T23:05:00.000+00:00')
})
