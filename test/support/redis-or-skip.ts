import { expect, test } from 'vitest'
import { type InstalledRedis, installedRedis } from './own-redis.ts'

/** Skips a test without Redis or Valkey. In CI, the test fails. */
export function redisOrSkip(): InstalledRedis[] {
  const installed = installedRedis()
  if (installed.length === 0)
    test.runIf(process.env.CI === 'true')(
      'rate limits over Redis: SKIPPED, because no redis-server or valkey-server is on the PATH (apt-get install redis-server)',
      () => expect(installed).not.toEqual([]),
    )
  return installed
}
