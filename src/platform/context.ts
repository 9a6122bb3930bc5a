import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { Cursors } from './http/cursor.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Log } from './log.ts'
import type { OrgTokens } from './org-tokens.ts'
import type { Secrets } from './secrets/secrets.ts'

/** What lives as long as the process does; made once, in `app.ts`. */
export type Context = {
  config: Config
  log: Log
  /** This process's metrics. */
  registry: Registry
  database: Database
  cursors: Cursors
  jobs: Jobs
  secrets: Secrets
  /** What other services name an org by. */
  orgTokens: OrgTokens
  /** Drops what this process remembers about the keys of an org, so that a change to them holds at once. */
  forgetKeys(orgId: string): void
  /** Counts a request in the budget of its address for requests without a key. @throws DomainError too_many */
  countStranger(request: FastifyRequest, reply: FastifyReply): Promise<void>
}
