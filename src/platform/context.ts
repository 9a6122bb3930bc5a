import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { Cursors } from './http/cursor.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Log } from './log.ts'
import type { ReadMembers, ReadObjects } from './objects.ts'
import type { OrgTokens } from './org-tokens.ts'
import type { Secrets } from './secrets/secrets.ts'

/** Objects that exist as long as the process. `app.ts` creates each once. */
export type Context = {
  config: Config
  log: Log
  registry: Registry
  database: Database
  cursors: Cursors
  jobs: Jobs
  secrets: Secrets
  /** The tokens that name an org in addresses that other services call. */
  orgTokens: OrgTokens
  readObjects: ReadObjects
  readMembers: ReadMembers
  /** The example of a kind of object in the reference; null if no GET shows this kind. */
  sampleObject(object: string): unknown
  /** Drops the cached keys of an org, so that a change to them takes effect at once. */
  forgetKeys(orgId: string): void
  /** Drops the cached sessions of a member, so that a change to them takes effect at once. */
  forgetMember(memberId: string): void
  /** Counts a request without a key against the rate limit of its client address. @throws DomainError too_many */
  countAnonymous(request: FastifyRequest, reply: FastifyReply): Promise<void>
}
