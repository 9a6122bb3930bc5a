import type { FastifyInstance } from 'fastify'
import { endpoints } from './api.ts'
import { approvalEndpoints } from './approvals/routes.ts'
import { AnonymousBudget } from './auth/anonymous-budget.ts'
import { rightsCheck } from './auth/caller-rights.ts'
import { ChangeListener } from './auth/change-listener.ts'
import { CredentialCache } from './auth/credential-cache.ts'
import { enforceRateLimit } from './auth/enforce-rate-limit.ts'
import { createGate } from './auth/gate.ts'
import { keyLookup } from './auth/known-keys.ts'
import { ClientLinks, linkLookup } from './auth/known-links.ts'
import { sessionLookup } from './auth/known-sessions.ts'
import { LastUsed } from './auth/last-used.ts'
import { limitPeople } from './auth/limit-people.ts'
import { requirePermission } from './auth/permissions.ts'
import { requestLanes } from './auth/request-lane.ts'
import { startChores } from './chores.ts'
import { endApp } from './connected-apps/apps.ts'
import { appLookup, recordAppUse } from './connected-apps/known-apps.ts'
import { ConsoleBuild } from './console/build.ts'
import { countersOf } from './counters.ts'
import { addDuplicateGauges } from './duplicates/gauges.ts'
import { addEventLogGauge } from './events/gauges.ts'
import { admitCallers } from './mcp/admit.ts'
import { consoleApi } from './members/console-api.ts'
import { AuthorizationServer, unusedSigningKey } from './oauth/authorization-server.ts'
import { consentEndpoints } from './oauth/routes.ts'
import { type Config, pooledAddress } from './platform/config.ts'
import type { Context } from './platform/context.ts'
import { Database, type DatabaseLimits } from './platform/db/database.ts'
import { system } from './platform/db/system.ts'
import { deriveKey, readOldEncryptionKey } from './platform/encryption-key.ts'
import { EncryptionKeys } from './platform/encryption-keys.ts'
import { Cursors } from './platform/http/cursor.ts'
import { Draining } from './platform/http/draining.ts'
import { createInvoker } from './platform/http/invoke.ts'
import { ListeningSockets } from './platform/http/listening-sockets.ts'
import { createServer } from './platform/http/server.ts'
import { answerKeyed } from './platform/idempotency/answer-keyed.ts'
import { Engine } from './platform/jobs/engine/engine.ts'
import { addJobGauges } from './platform/jobs/gauges.ts'
import { Jobs } from './platform/jobs/jobs.ts'
import { Worker } from './platform/jobs/worker.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { OrgTokens } from './platform/org-tokens.ts'
import { Outbound } from './platform/outbound/outbound.ts'
import type { Supervised } from './platform/processes/supervised.ts'
import { RedisLink } from './platform/rate-limit/redis-link.ts'
import { listenFault } from './platform/report.ts'
import { followActiveKey } from './platform/secrets/follow-active-key.ts'
import { Secrets } from './platform/secrets/secrets.ts'
import { foreignSecrets } from './platform/setup/describe-key-change.ts'
import { SchemaCheck } from './platform/setup/schema-check.ts'
import { prepareDatabase } from './prepare-database.ts'
import { publicRoutes } from './public-routes.ts'
import { objectReader, readMembers } from './read-objects.ts'
import { sampleObject } from './sample-objects.ts'
import { Challenges } from './tracking/forms/public/challenges.ts'
import { formLookup } from './tracking/forms/public/known-forms.ts'
import { GroupCommit } from './tracking/ingest/group-commit.ts'
import { IngestFaults } from './tracking/ingest/ingest-faults.ts'
import { writeKeyLookup } from './tracking/ingest/known-write-keys.ts'
import { LastSeen } from './tracking/ingest/last-seen.ts'
import { choicesLookup, PrivacyChoices } from './tracking/ingest/privacy-choices.ts'
import { Senders } from './tracking/ingest/senders.ts'
import { VerifiedUsers } from './tracking/ingest/verified-users.ts'
import { DailySalts } from './tracking/store/daily-salts.ts'
import { EventStore } from './tracking/store/event-store.ts'
import { RequestCounter } from './usage/counter.ts'
import { addCallGauges } from './voice/calls/metrics.ts'
import { addWebhookGauges } from './webhooks/gauges.ts'
import { jobs } from './worker.ts'

export type App = {
  context: Context
  server: FastifyInstance
  /** The address of the API, such as http://127.0.0.1:8080; null for a worker. */
  address: string | null
  /** Runs background jobs; null if the process only serves the API. */
  worker: Worker | null
  /** Continues to serve for `config.drainSeconds`. Meanwhile, `/readyz` and each answer ask clients to use another server. */
  drain(): Promise<void>
  /** Finishes running requests and jobs, refuses new ones, and closes all connections. Takes 9 seconds at most. */
  close(): Promise<void>
}

/**
 * Migrates the database, then starts the API, the worker or both (`config.role`).
 * @param databaseUrl logs in as the migrating role, to PostgreSQL itself
 * @param supervised null: no supervisor started this process
 */
export async function startApp(
  config: Config,
  log: Log,
  databaseUrl: string,
  rootKey: Buffer,
  databaseLimits: DatabaseLimits = {},
  supervised: Supervised | null = null,
): Promise<App> {
  const [pooled, oldKey] = [pooledAddress(config), readOldEncryptionKey(config)]
  const prepared = await prepareDatabase(databaseUrl, rootKey, log, null, { pooled, oldKey })
  const { roles, roleKey, activeKey, orgTokenKey } = prepared
  const sealedElsewhere = foreignSecrets(prepared.foreignSecrets, oldKey !== null)
  if (sealedElsewhere) log.error(sealedElsewhere)
  const encryption = new EncryptionKeys(rootKey, oldKey, activeKey)
  const database = new Database({
    ...{ ...databaseLimits, url: databaseUrl, pooled, rootKey: roleKey, roles, log },
    systemName: encryption.announcement,
  })
  const scope = system(database)
  const people = system(database, limitPeople)
  const connection = database.connectionFor('crosswalk_system')
  const changes = new ChangeListener(connection, log)
  const keys = new CredentialCache(keyLookup(scope), changes)
  const sessions = new CredentialCache(sessionLookup(scope), changes)
  const lastUsed = new LastUsed(scope, log)
  const requests = new RequestCounter(scope, log)
  const [serves, works] = [config.role !== 'worker', config.role !== 'api']
  const redis = config.redisUrl !== null && serves ? await RedisLink.create(config.redisUrl, log) : null
  const { orgs: limits, addresses, ...budgets } = countersOf(redis, supervised?.ask ?? null)
  const anonymous = new AnonymousBudget(addresses)
  const metrics = createMetrics(database, redis, supervised)
  const engine = new Engine(scope, connection, log, { supervises: works })
  const worker = works ? new Worker(engine, log) : null
  const context: Context = {
    config,
    log,
    registry: metrics.registry,
    database,
    cursors: new Cursors(encryption.derive('list cursors')),
    jobs: new Jobs(engine),
    secrets: new Secrets(encryption.known, log),
    orgTokens: new OrgTokens(orgTokenKey),
    readObjects: objectReader(() => context),
    readMembers,
    sampleObject,
    forgetKeys: (orgId) => keys.forget(orgId),
    forgetMember: (memberId) => sessions.forget(`member:${memberId}`),
    countAnonymous: async (request, reply) => enforceRateLimit(await anonymous.take(request.ip), reply),
  }
  addJobGauges(metrics.registry, scope)
  addDuplicateGauges(metrics.registry, scope)
  addCallGauges(metrics.registry, scope)
  addEventLogGauge(metrics.registry, scope)
  addWebhookGauges(metrics.registry, scope)
  const lastSeen = new LastSeen(scope, log)
  const ingestFaults = new IngestFaults(scope, log)
  const store = new EventStore(database.unbound())
  const links = new ClientLinks(new CredentialCache(linkLookup(scope), changes))
  const ingest = {
    senders: new Senders({
      apiKeys: keys,
      writeKeys: new CredentialCache(writeKeyLookup(scope), changes),
      links,
      anonymous,
    }),
    budgets: budgets.ingest,
    commits: new GroupCommit({ append: (slices) => store.append(slices) }),
    lastSeen,
    users: new VerifiedUsers(database, context.secrets),
    privacy: new PrivacyChoices(new CredentialCache(choicesLookup(scope), changes), new DailySalts(scope)),
    faults: ingestFaults,
  }
  const forms = {
    forms: new CredentialCache(formLookup(scope), changes),
    challenges: new Challenges(encryption.derive('challenges of forms')),
    budgets: budgets.forms,
    database,
    jobs: context.jobs,
    countAnonymous: context.countAnonymous,
    findSender: (key: string | null, ip: string) => ingest.senders.find(key, ip),
    mayGuess: (ip: string, formId: string) => anonymous.mayGuess(ip, formId.slice(-1)),
  }
  const build = new ConsoleBuild(log, config.servesConsole)
  const gate = createGate({ keys, links, lastUsed, limits, anonymous })
  const apps = new CredentialCache(appLookup(scope), changes)
  const authorization = new AuthorizationServer(
    {
      scope,
      outbound: new Outbound({ allowPrivate: config.outboundAllowPrivate, log }),
      log,
      cookieKey: deriveKey(orgTokenKey, 'cookies of apps'),
      signingKey: unusedSigningKey(),
      onGrantEnd: (appId) =>
        void endApp(scope, appId).catch((error) => log.warn({ err: error }, 'an app was not disconnected')),
    },
    config.publicUrl,
  )
  const tools = {
    ...{ context, endpoints },
    admit: admitCallers({
      ...{ gate, limits, anonymous, apps },
      noteUsed: (app) =>
        void recordAppUse(scope, app).catch((error) =>
          log.warn({ err: error }, 'last_used_at was not written'),
        ),
      issuerOf: (request) => authorization.issuerOf(request),
    }),
    invoker: createInvoker({ context, requirePermission, answerKeyed }),
  }
  const draining = new Draining()
  const server = createServer({
    endpoints,
    context,
    gate,
    laneOf: requestLanes({ keys, apps, sessions, links }, config.trustProxy),
    requirePermission,
    console: consoleApi({
      ...{ scope, people, sessions, links, limits, anonymous, context },
      factorKey: deriveKey(orgTokenKey, 'second factors'),
      endpoints: [
        ...consentEndpoints({ scope: people, sessions, server: authorization }),
        ...approvalEndpoints,
      ],
    }),
    requireRights: rightsCheck(database),
    draining,
    answerKeyed,
    publicRoutes: publicRoutes({
      ...{ context, metrics, redis, supervised, draining, ingest, forms, tools },
      schema: new SchemaCheck(scope),
      console: build,
      oauth: { context, scope, server: authorization },
    }),
    onAnswer: (answer) => {
      metrics.onAnswer(answer)
      requests.note(answer.counted, answer.status)
    },
  })
  const sockets = new ListeningSockets(server)
  const chores: (() => Promise<void>)[] = [followActiveKey(scope, encryption, log)]
  let closed: Promise<void> | null = null
  async function letGo(): Promise<void> {
    await Promise.all([build.stop(), server.close(), worker?.stop(4_000), ...chores.map((stop) => stop())])
    // Before the database closes, store what the last requests caused: uses of keys, numbers of requests, and jobs.
    await Promise.all([
      lastUsed.flush(),
      lastSeen.flush(),
      ingestFaults.flush(),
      requests.flush(),
      engine.close(),
    ])
    redis?.close()
    supervised?.stop()
    await changes.close()
    await database.close()
  }
  function close(): Promise<void> {
    closed ??= letGo()
    return closed
  }
  try {
    await Promise.all([
      ...(serves ? [changes.start(), authorization.prepare()] : []),
      ...[engine.start(), redis?.start()],
    ])
    // Listen before the worker starts: if the address is in use, this process ends, and must not have claimed jobs.
    const address = serves ? await listen(sockets, config) : null
    if (serves) void build.start()
    if (worker) {
      chores.push(...startChores(scope, context))
      await worker.work(jobs, context)
    }
    const drain = () => draining.wait(config.drainSeconds)
    return { context, server, address, worker, drain, close }
  } catch (error) {
    await close().catch((cause) =>
      log.warn({ err: cause }, 'the parts that had started did not stop cleanly'),
    )
    throw error
  }
}

async function listen(sockets: ListeningSockets, config: Config): Promise<string> {
  try {
    return await sockets.listen({ host: config.host, port: config.port })
  } catch (error) {
    throw listenFault(config, error)
  }
}
