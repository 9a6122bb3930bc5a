import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import type { DomainError } from '../platform/domain-error.ts'
import { MemoryStore } from '../platform/rate-limit/memory-store.ts'
import { manualClock } from '../platform/rate-limit/store-property.ts'
import { AnonymousBudget } from './anonymous-budget.ts'
import type { CredentialCache } from './credential-cache.ts'
import type { KnownSession } from './known-sessions.ts'
import { createMemberGate } from './member-gate.ts'

const session = {
  ...{ sessionId: 's', memberId: 'm', name: 'Ada', isPartial: false, ssoOrgId: null, isRecovery: false },
  ...{ passkeyHosts: [], hasPassword: true, ssoRequired: [], reached: new Map(), agencies: [] },
  ...{ confirmedAtMs: 0, seenAtMs: Date.now(), expiresAtMs: Date.now() + 3_600_000 },
} as unknown as KnownSession

/** A request to act on an organization that the cached session does not reach. */
const request = {
  ...{ method: 'GET', ip: '10.0.0.1', host: 'localhost', protocol: 'http', browser: null },
  headers: { cookie: `crosswalk=${'a'.repeat(43)}`, 'x-org-id': 'unknown' },
  routeOptions: { config: { endpoint: {} } },
} as unknown as FastifyRequest
const reply = { headers: () => {} } as unknown as FastifyReply

test('a member above the rate limit causes no lookups of the session', async () => {
  let lookups = 0
  const sessions = {
    peek: () => session,
    expects: () => true,
    load: async () => {
      lookups++
      return session
    },
  } as unknown as CredentialCache<KnownSession>
  const clock = manualClock()
  const gate = createMemberGate({
    sessions,
    links: {} as never,
    limits: new MemoryStore({ clock }),
    anonymous: new AnonymousBudget(new MemoryStore({ clock }), clock),
    publicUrl: null,
    recordSessionUse: () => {},
  })
  const codes: string[] = []
  for (let sent = 0; sent < 200; sent++)
    codes.push(await Promise.resolve(gate(request, reply)).then(String, (error: DomainError) => error.code))
  expect(codes.filter((code) => code === 'membership_missing')).toHaveLength(50)
  expect(codes.filter((code) => code === 'rate_limit_exceeded')).toHaveLength(150)
  expect(lookups).toBe(50)
})
