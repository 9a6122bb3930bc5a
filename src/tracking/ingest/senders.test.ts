import { expect, test } from 'vitest'
import { AnonymousBudget } from '../../auth/anonymous-budget.ts'
import type { CredentialCache } from '../../auth/credential-cache.ts'
import type { KnownKey } from '../../auth/known-keys.ts'
import { ClientLinks, type KnownLink } from '../../auth/known-links.ts'
import { newToken } from '../../auth/token.ts'
import { MemoryStore } from '../../platform/rate-limit/memory-store.ts'
import { Budgets } from './budgets.ts'
import type { KnownWriteKey } from './known-write-keys.ts'
import { Senders } from './senders.ts'

const cacheOf = <Known>(found: () => Known | null) =>
  ({
    peek: () => undefined,
    expects: () => true,
    load: async () => found(),
  }) as unknown as CredentialCache<Known>

const apiKey = (apiKeyId: string, orgId: string, payerId: string): KnownKey => ({
  ...{ orgId, apiKeyId, name: 'Server', mode: 'live', isAgency: false, permissions: null, expiresAtMs: null },
  ...{ lastUsedAtMs: 0, hasOrg: true },
  payer: { id: payerId, ceilings: { perSecond: null, perMinute: null }, ceilingsOrgId: payerId },
})

test('all API keys of an organization share a budget, with the keys that an agency created in its clients', async () => {
  const keys = [apiKey('k1', 'client 1', 'agency'), apiKey('k2', 'client 2', 'agency')]
  let next = 0
  const senders = new Senders({
    apiKeys: cacheOf(() => keys[next++ % keys.length] ?? null),
    writeKeys: cacheOf<KnownWriteKey>(() => null),
    links: new ClientLinks(cacheOf<KnownLink>(() => null)),
    anonymous: new AnonymousBudget(new MemoryStore()),
  })
  const budgets = new Budgets()
  const waits: (number | null)[] = []
  for (let n = 0; n < 3; n++) {
    const { limits, address } = await senders.find(newToken('live').token, '192.0.2.1')
    waits.push(budgets.countEvents(limits, address, 25_000))
  }
  expect(waits.map((wait) => wait === null)).toEqual([true, true, false])
})
