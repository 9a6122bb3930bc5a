import type { CredentialCache } from '../auth/credential-cache.ts'
import type { KnownSession } from '../auth/known-sessions.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import type { PasswordHasher } from './passwords.ts'
import type { Providers } from './sso/provider.ts'

/** What the endpoints about people need. People are in several organizations, so the scope crosses them. */
export type Desk = {
  scope: SystemScope
  passwords: PasswordHasher
  sessions: CredentialCache<KnownSession>
  /** Seals the secrets of authenticator apps. It stays the same when the encryption key changes. */
  factorKey: Buffer
  secrets: Secrets
  /** The providers of single sign-on. */
  providers: Providers
  log: Log
  /** Drops the cached sessions of a member. */
  forgetMember(memberId: string): void
}
