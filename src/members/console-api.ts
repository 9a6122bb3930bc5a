import type { AnonymousBudget } from '../auth/anonymous-budget.ts'
import type { CredentialCache } from '../auth/credential-cache.ts'
import type { ClientLinks } from '../auth/known-links.ts'
import { type KnownSession, recordSessionUse } from '../auth/known-sessions.ts'
import { countedForPayer } from '../auth/limit-people.ts'
import { createMemberGate, requireConfirmation } from '../auth/member-gate.ts'
import type { Context } from '../platform/context.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Endpoint } from '../platform/http/endpoint.ts'
import type { ConsoleApi } from '../platform/http/server.ts'
import { Outbound } from '../platform/outbound/outbound.ts'
import type { RateLimitStore } from '../platform/rate-limit/rate-limit.ts'
import type { MemberDeps } from './member-deps.ts'
import { PasswordHasher } from './passwords.ts'
import { memberEndpoints } from './routes.ts'
import { SsoProviders } from './sso/provider.ts'

export type ConsoleParts = {
  scope: SystemScope
  /** The same, for requests of people: see `limitPeople`. */
  people: SystemScope
  sessions: CredentialCache<KnownSession>
  links: ClientLinks
  limits: RateLimitStore
  anonymous: AnonymousBudget
  context: Context
  factorKey: Buffer
  /** Endpoints of other features that API keys cannot use. */
  endpoints: readonly Endpoint[]
}

/** The console's own API: the gate that checks sessions, and the endpoints that API keys cannot use. */
export function consoleApi({
  scope,
  people,
  sessions,
  links,
  limits,
  anonymous,
  context,
  factorKey,
  endpoints,
}: ConsoleParts): ConsoleApi {
  const { config, log } = context
  const { forgetMember, secrets, jobs } = context
  const outbound = new Outbound({ allowPrivate: config.outboundAllowPrivate, log })
  const deps: MemberDeps = {
    ...{ scope: people, sessions, forgetMember, factorKey, secrets, jobs, log },
    passwords: new PasswordHasher(config.passwordCost),
    providers: new SsoProviders(outbound, config.outboundAllowPrivate),
  }
  return {
    endpoints: [...memberEndpoints(deps), ...endpoints].map(countedForPayer),
    requireConfirmation,
    gate: createMemberGate({
      ...{ sessions, links, limits, anonymous },
      publicUrl: config.publicUrl,
      recordSessionUse: (session) => {
        recordSessionUse(scope, session).catch((error) =>
          log.warn({ err: error }, 'the use of a session was not stored'),
        )
      },
    }),
  }
}
