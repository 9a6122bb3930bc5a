import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { SystemScope } from '../../platform/db/system.ts'
import { addCallGauges } from './metrics.ts'

test('each scrape reads the calls under way once', async () => {
  let reads = 0
  const scope = {
    readRows: async () => {
      reads++
      return [{ provider: 'simulator', state: 'unknown', calls: reads, oldestSeconds: 7 }]
    },
  } as unknown as SystemScope
  const registry = new Registry()
  addCallGauges(registry, scope)

  for (const scrape of [1, 2]) {
    const text = await registry.metrics()
    expect(reads).toBe(scrape)
    expect(text).toContain(`crosswalk_calls{provider="simulator",state="unknown"} ${scrape}\n`)
    expect(text).toContain('crosswalk_call_oldest_unknown_seconds{provider="simulator"} 7\n')
  }
})
