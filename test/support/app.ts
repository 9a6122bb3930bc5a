import { inject } from 'vitest'

import { endpoints } from '../../src/api.ts'
import { type App, startApp } from '../../src/app.ts'
import { insertKey, type NewKey, tokenOf } from '../../src/keys/keys.ts'
import { createOrg, setCeilings } from '../../src/orgs/operator.ts'
import { operatorOf } from '../../src/platform/actor.ts'
import { type Config, readConfig } from '../../src/platform/config.ts'
import type { DatabaseLimits } from '../../src/platform/db/database.ts'
import { OrgTx } from '../../src/platform/db/org-tx.ts'
import { system } from '../../src/platform/db/system.ts'
import type { Tx } from '../../src/platform/db/tx.ts'
import { createLog, type Log } from '../../src/platform/log.ts'

import { checkAnswers, requireCode } from './answer-check.ts'
import { cloneDatabase, runAsOwner, testKey } from './database.ts'
import { untilNoJobs } from './jobs/left-jobs.ts'
import { connectNewApp } from './new-connected-app.ts'
import { patience } from './patience.ts'
import { type Received, sendRequest } from './send-request.ts'

checkAnswers(endpoints)

export type Answer = Received

export type Options = {
  headers?: Record<string, string>
  body?: unknown
  raw?: string | Uint8Array
  prefix?: string
}

/** A client with one API key. Paths have no version prefix. */
export class TestClient {
  readonly address: string
  readonly token: string | null

  constructor(address: string, token: string | null) {
    this.address = address
    this.token = token
  }

  get(path: string, options?: Options): Promise<Answer> {
    return this.send('GET', path, options)
  }

  post(path: string, body?: unknown, options?: Options): Promise<Answer> {
    return this.send('POST', path, { body, ...options })
  }

  patch(path: string, body?: unknown, options?: Options): Promise<Answer> {
    return this.send('PATCH', path, { body, ...options })
  }

  delete(path: string, options?: Options): Promise<Answer> {
    return this.send('DELETE', path, options)
  }

  async send(
    method: string,
    path: string,
    { headers = {}, body, raw, prefix = '/api/v1' }: Options = {},
  ): Promise<Answer> {
    const answer = await sendRequest(`${this.address}${prefix}${path}`, {
      method,
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    })
    requireCode(answer)
    return answer
  }
}

export type TestOrg = TestClient & {
  orgId: string
  apiKeyId: string
  /** Another organization of the same server, with an agency key. */
  newAgency(): Promise<TestOrg>
  /** Connects an AI host to an organization, in the name of a new member. Returns the id of the connection. */
  newConnectedApp(orgId: string): Promise<string>
}

export type OrgOptions = {
  name?: string
  isAgency?: boolean
  country?: string | null
  /** Keeps the default rate limits; by default there are none. */
  limited?: boolean
  key?: Partial<NewKey>
}

export type TestApp = {
  app: App
  address: string
  /** The migrating role's URL of this app's own database. */
  databaseUrl: string
  stranger: TestClient
  newOrg(options?: OrgOptions): Promise<TestOrg>
  /** An agency whose key may act on its clients and call every endpoint. */
  newAgency(name?: string): Promise<TestOrg>
  newKey(orgId: string, key?: Partial<NewKey>): Promise<TestOrg>
  client(token: string | null): TestClient
  /** Runs work across orgs, like an operator's command. */
  operate<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  operateOn<Result>(orgId: string, work: (tx: OrgTx) => Promise<Result>): Promise<Result>
  /** Fails if a job still waits or runs, unless `leavesJobs` is set. */
  close(options?: { leavesJobs?: boolean; drainMs?: number }): Promise<void>
}

// On a busy machine, some of hundreds of concurrent requests wait long.
const patient: DatabaseLimits = { connectionWaitMs: patience.timeout }

/** Creates an org with a live key that may do everything. */
export async function newOrgOn(app: App, options: OrgOptions = {}): Promise<TestOrg> {
  const { name = 'Acme', isAgency = false, country = 'US', limited = false, key = {} } = options
  const orgId = await system(app.context.database).transact(async (tx) => {
    const created = await createOrg(tx, { name, isAgency, country })
    if (!limited) await setCeilings(tx, created, { perSecond: null, perMinute: null })
    return created
  })
  return newKeyOn(app, orgId, key)
}

const newAgencyOn = (app: App, name = 'Agency') =>
  newOrgOn(app, { name, isAgency: true, key: { isAgency: true } })

const newConnectedAppOn = (app: App, orgId: string): Promise<string> =>
  system(app.context.database).transact((tx) => connectNewApp(tx, orgId))

async function newKeyOn(app: App, orgId: string, key: Partial<NewKey> = {}): Promise<TestOrg> {
  const created = await system(app.context.database).transact((tx) =>
    insertKey(new OrgTx(tx, operatorOf(orgId)), { name: 'Test key', mode: 'live', ...key }),
  )
  const client = new TestClient(app.address ?? '', tokenOf(created))
  return Object.assign(client, {
    orgId,
    apiKeyId: created.api_key_id,
    newAgency: () => newAgencyOn(app),
    newConnectedApp: (on: string) => newConnectedAppOn(app, on),
  })
}

let shared: { app: TestApp; users: number } | null = null

/**
 * The server that the test files of this process share, one after another. It trusts the proxy in front of it. Close it
 * in `afterAll`, as if it were the file's own. Use it if each test makes its organizations, and needs nothing of the
 * rest: not the rows of others, the limits of an address, the settings, the clock or the server's parts.
 */
export async function sharedTestApp(): Promise<TestApp> {
  shared ??= { app: await startTestApp({ trustProxy: true }), users: 0 }
  const used = shared
  used.users += 1
  return {
    ...used.app,
    async close({ drainMs } = {}) {
      used.users -= 1
      await disableEndpoints(used.app.databaseUrl)
      await untilNoJobs(used.app.databaseUrl, drainMs).catch(async (error) => {
        // The next file gets a server without these jobs.
        await stopShared()
        throw error
      })
    },
  }
}

/** The server looks for news of each working webhook endpoint after each commit: so an endpoint ends with its file. */
async function disableEndpoints(databaseUrl: string): Promise<void> {
  await runAsOwner(
    databaseUrl,
    `update webhook_endpoint set status = 'disabled', disabled_reason = 'by_request', next_probe_at = null
     where status <> 'disabled'`,
  )
}

async function stopShared(): Promise<void> {
  const stopped = shared
  shared = null
  await stopped?.app.close({ leavesJobs: true })
}

/**
 * A complete server with its own port and database. Close it in `afterAll`. Two kinds of background work run only if
 * they are set: `checksDuplicates` and `movesCalls`.
 * @param other another app, whose database this one shares. Close this one first
 * @param limits the limits of waiting requests; by default none is refused
 */
export async function startTestApp(
  overrides: Partial<Config> = {},
  other?: { databaseUrl: string },
  log: Log = createLog('silent'),
  limits: DatabaseLimits = patient,
): Promise<TestApp> {
  // A server that waits for the next file polls its database meanwhile.
  if (shared?.users === 0) await stopShared()
  const database = other
    ? { url: other.databaseUrl, drop: async () => {} }
    : await cloneDatabase(inject('databaseUrl'))
  const config = {
    ...readConfig({}),
    port: 0,
    checksDuplicates: false,
    movesCalls: false,
    servesConsole: false,
    passwordCost: 10,
    ...overrides,
  }
  const app = await startApp(config, log, database.url, testKey, limits)
  const scope = () => system(app.context.database)
  const address = app.address ?? ''

  return {
    app,
    address,
    databaseUrl: database.url,
    stranger: new TestClient(address, null),
    newOrg: (options) => newOrgOn(app, options),
    newAgency: (name) => newAgencyOn(app, name),
    newKey: (orgId, key) => newKeyOn(app, orgId, key),
    client: (token) => new TestClient(address, token),
    operate: (work) => scope().transact(work),
    operateOn: (orgId, work) => scope().transact((tx) => work(new OrgTx(tx, operatorOf(orgId)))),
    async close({ leavesJobs = config.role === 'api', drainMs } = {}) {
      try {
        if (!leavesJobs) await untilNoJobs(database.url, drainMs)
      } finally {
        await app.close()
        await database.drop()
        release(app)
      }
    },
  }
}

/** Frees the memory of a closed app. Test files refer to the app, and stay in memory until the whole run ends. */
function release(app: Partial<App>): void {
  for (const name of Object.keys(app) as (keyof App)[]) delete app[name]
}
