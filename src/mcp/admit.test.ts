import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { AnonymousBudget } from '../auth/anonymous-budget.ts'
import type { CredentialCache } from '../auth/credential-cache.ts'
import { createGate } from '../auth/gate.ts'
import type { KnownKey } from '../auth/known-keys.ts'
import type { LastUsed } from '../auth/last-used.ts'
import { newToken } from '../auth/token.ts'
import { MemoryStore } from '../platform/rate-limit/memory-store.ts'
import { admitCallers } from './admit.ts'

const known: KnownKey = {
  ...{ orgId: 'o1', apiKeyId: 'k1', name: 'Key', mode: 'live', isAgency: false, permissions: null },
  ...{ expiresAtMs: null, lastUsedAtMs: 0, hasOrg: true },
  payer: { id: 'o1', ceilings: { perSecond: null, perMinute: 2 }, ceilingsOrgId: 'o1' },
}

test('each call of a tool counts against the limits of its key, even while no key is cached', async () => {
  const keys = {
    peek: () => undefined,
    expects: () => true,
    load: async () => known,
  } as unknown as CredentialCache<KnownKey>
  const limits = new MemoryStore()
  const anonymous = new AnonymousBudget(limits)
  const gate = createGate({
    ...{ keys, limits, anonymous, links: {} as never },
    lastUsed: { note: () => {} } as unknown as LastUsed,
  })
  const admit = admitCallers({
    ...{ gate, limits, anonymous, apps: {} as never, noteUsed: () => {}, issuerOf: () => null },
  })
  const authorization = `Bearer ${newToken('live').token}`
  const request = { headers: { authorization }, raw: { rawHeaders: [] }, ip: '192.0.2.1' }

  const { spend } = await admit(
    request as unknown as FastifyRequest,
    { headers: () => {} } as unknown as FastifyReply,
  )

  const allowed = [await spend(), await spend()].map((decision) => decision.allowed)
  expect(allowed).toEqual([true, false])
})
