import type { CredentialCache } from '../auth/credential-cache.ts'
import type { KnownSession } from '../auth/known-sessions.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Log } from '../platform/log.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import type { PasswordHasher } from './passwords.ts'
import type { SsoProviders } from './sso/provider.ts'

/**
 * The dependencies that the endpoints about people share. A person can be in several organizations, so `scope` crosses
 * organizations.
 */
export type MemberDeps = {
  scope: SystemScope
  passwords: PasswordHasher
  sessions: CredentialCache<KnownSession>
  /** Encrypts the secrets of authenticator apps. This key stays the same when the encryption key changes. */
  factorKey: Buffer
  secrets: Secrets
  /** The providers of single sign-on. */
  providers: SsoProviders
  jobs: Jobs
  log: Log
  /** Removes a member's sessions from the cache. */
  forgetMember(memberId: string): void
}
