import type { CredentialCache } from '../auth/credential-cache.ts'
import { type KnownSession, noteSeen } from '../auth/known-sessions.ts'
import { createMemberGate, requireConfirmation } from '../auth/member-gate.ts'
import type { StrangerBudget } from '../auth/strangers.ts'
import type { Context } from '../platform/context.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { ConsoleDoor } from '../platform/http/server.ts'
import { Outbound } from '../platform/outbound/outbound.ts'
import type { RateLimitStore } from '../platform/rate-limit/rate-limit.ts'
import type { Desk } from './desk.ts'
import { PasswordHasher } from './passwords.ts'
import { memberEndpoints } from './routes.ts'
import { Providers } from './sso/provider.ts'

export type ConsoleParts = {
  scope: SystemScope
  sessions: CredentialCache<KnownSession>
  limits: RateLimitStore
  strangers: StrangerBudget
  context: Context
  factorKey: Buffer
}

/** The console's own API: the gate that checks sessions, and the endpoints that API keys cannot use. */
export function consoleDoor({
  scope,
  sessions,
  limits,
  strangers,
  context,
  factorKey,
}: ConsoleParts): ConsoleDoor {
  const { config, log } = context
  const { forgetMember, secrets } = context
  const outbound = new Outbound({ allowPrivate: config.outboundAllowPrivate, log })
  const desk: Desk = {
    ...{ scope, sessions, forgetMember, factorKey, secrets, log },
    passwords: new PasswordHasher(config.passwordCost),
    providers: new Providers(outbound, config.outboundAllowPrivate),
  }
  return {
    endpoints: memberEndpoints(desk),
    requireConfirmation,
    gate: createMemberGate({
      ...{ sessions, limits, strangers },
      publicUrl: config.publicUrl,
      noteSeen: (session) => {
        noteSeen(scope, session).catch((error) =>
          log.warn({ err: error }, 'the use of a session was not stored'),
        )
      },
    }),
  }
}
