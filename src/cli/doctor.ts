import { openInstallation } from '../installation.ts'
import { listOrgs } from '../orgs/operator.ts'
import { type Config, pooledAddress, readConfig } from '../platform/config.ts'
import { hasDatabaseFolder } from '../platform/db/embedded/database-folder.ts'
import { hostsOf } from '../platform/db/hosts.ts'
import { hostAndPort } from '../platform/host-and-port.ts'
import { createLog } from '../platform/log.ts'
import { shownRedisAddress } from '../platform/rate-limit/redis-address.ts'
import { RedisLink } from '../platform/rate-limit/redis-link.ts'
import { assessVersion } from '../platform/releases.ts'
import { errorText, OperatorError, reasonOf } from '../platform/report.ts'
import { settingWarnings } from '../platform/setting-warnings.ts'
import { describeKeyChange } from '../platform/setup/describe-key-change.ts'
import { inspectDatabase } from '../platform/setup/inspect.ts'
import { version } from '../platform/version.ts'
import { type Command, type CommandContext, commandLog, withDatabase } from './command.ts'
import { databaseWarnings, type Facts } from './database-warnings.ts'

/** The facts about one part of the installation. `problem`: what an operator must do. */
type Findings = { facts: Facts; problem: string | null }

export const doctor: Command = {
  name: 'doctor',
  args: [],
  summary: 'Show the settings in force, versions and connectivity; no secrets',
  options: { 'check-merges': {} },
  async runWithoutDatabase(print, values) {
    const config = readConfig()
    const database = await examineDatabase(config)
    const merges = values['check-merges'] && !database.problem ? await examineMerges() : noFindings
    const isReady = database.facts.schema === 'up to date' && !database.problem
    const webhooks = isReady ? await examineWebhooks() : noWebhooks
    const redis = await examineRedis(config)
    const software = examineSoftware(database.facts.postgres, config)
    const all: Facts = {
      crosswalk: version,
      node: process.version,
      openssl: process.versions.openssl,
      ...software.facts,
      ...database.facts,
      ...merges.facts,
      ...webhooks.facts,
      ...redis.facts,
      ...settingsOf(config),
    }
    const warnings = [
      ...software.warnings,
      ...databaseWarnings(database.facts, config),
      ...webhooks.warnings,
      ...settingWarnings(),
    ]
    const width = Math.max(...Object.keys(all).map((name) => name.length))
    print({ ...all, warnings }, [
      ...Object.entries(all).map(([name, value]) => `${name.padEnd(width)}  ${value ?? 'not set'}`),
      ...warnings.map((warning) => `\n${wrapped(`Warning: ${warning}`)}`),
    ])
    const problems = [database.problem, merges.problem, redis.problem].filter((problem) => problem !== null)
    if (problems.length > 0) throw new OperatorError(problems.join('\n'))
  },
}

const wrapped = (text: string) => text.replaceAll(/(.{1,80})(?: |$)/g, '$1\n').trimEnd()

const noFindings: Findings = { facts: {}, problem: null }

/**
 * The versions of Node.js, OpenSSL and PostgreSQL. An old version is only a warning, because the operator's platform
 * may have no newer release.
 */
function examineSoftware(postgres: Facts[string] | undefined, { databaseUrl }: Config) {
  const now = new Date()
  const node = assessVersion('Node.js', process.version, now)
  const openssl = assessVersion('OpenSSL', process.versions.openssl, now)
  const isKnown = typeof postgres === 'string' && postgres !== unknownFacts.postgres
  const server = isKnown ? assessVersion('PostgreSQL', postgres, now) : { released: null, warning: null }
  const bundled = 'Update Crosswalk, or the image that it runs in.'
  const ownServer =
    databaseUrl === null
      ? 'This is the embedded PostgreSQL: for production use your own PostgreSQL (DATABASE_URL).'
      : 'Install the newest minor release of PostgreSQL.'
  const advice = [
    [node.warning, bundled],
    [openssl.warning, `${bundled} Node.js contains OpenSSL.`],
    [server.warning, ownServer],
  ]
  return {
    facts: {
      node_released: node.released ?? 'unknown',
      openssl_released: openssl.released ?? 'unknown',
      postgres_released: server.released ?? 'unknown',
    },
    warnings: advice.filter(([warning]) => warning !== null).map((sentences) => sentences.join(' ')),
  }
}

/** Opens the database for work that only reads. The months of the event log stay as `doctor` shows them. */
const readDatabase = (work: (desk: CommandContext) => Promise<void>): Promise<void> =>
  withDatabase(() => {}, work, { makesMonths: false })

async function examineMerges(): Promise<Findings> {
  const { checkMergedRecords } = await import('../duplicates/check-merged-records.ts')
  let [checked, found] = [0, [] as string[]]
  await readDatabase(async ({ database, scope }) => {
    const orgs = await scope.read((tx) => listOrgs(tx))
    for (const { org_id: orgId } of orgs) {
      const merges = await checkMergedRecords(database.org(orgId))
      checked += merges.checked
      found = found.concat(
        merges.deviations.map(
          (each) => `${each.entity_type} ${each.record_id} of ${orgId}: ${each.wrong.join(', ')}`,
        ),
      )
    }
  })
  return {
    facts: { merged_records_checked: checked, merged_records_wrong: found.length },
    problem:
      found.length === 0
        ? null
        : `The values of these merged records differ from the values that their sources and merges give. Report this bug:\n${found.join('\n')}`,
  }
}

const noWebhooks: { facts: Facts; warnings: string[] } = { facts: {}, warnings: [] }

async function examineWebhooks(): Promise<typeof noWebhooks> {
  const { countEndpoints } = await import('../webhooks/operator.ts')
  let counts: Record<string, number> = {}
  await readDatabase(async ({ scope }) => {
    counts = await countEndpoints(scope)
  })
  const { enabled, failing = 0, disabled } = counts
  const failingText = failing === 1 ? '1 webhook endpoint fails' : `${failing} webhook endpoints fail`
  const warning = `${failingText}. To see them, run: npm run crosswalk -- webhooks list --status failing`
  return {
    facts: { webhook_endpoints: `${enabled} enabled, ${failing} failing, ${disabled} disabled` },
    warnings: failing > 0 ? [warning] : [],
  }
}

// How long to wait for Redis, in milliseconds. A slow Redis is not a problem.
const redisWithinMs = 2_000
const unknownFacts = {
  ...{ postgres: 'unknown', pooler: 'unknown', schema: 'unknown', tenant_isolation: 'unknown' },
  ...{ temporary_tables: 'unknown', replication: 'unknown', archiving: 'unknown' },
}

async function examineDatabase(config: Config): Promise<Findings> {
  const database = config.databaseUrl === null ? 'embedded' : withoutSecrets(config.databaseUrl)
  const facts = { database, data_dir: config.dataDir, ...unknownFacts }
  if (config.databaseUrl === null && !hasDatabaseFolder(config.dataDir)) {
    return { facts: { ...facts, database: 'embedded, not created yet: npm start creates it' }, problem: null }
  }
  try {
    const { databaseUrl, rootKey, oldKey, embedded } = await openInstallation(
      config,
      commandLog(config),
      'guest',
    )
    try {
      const { version: postgres, ...inspected } = await inspectDatabase(databaseUrl, pooledAddress(config))
      const { pending, isolates, makesTemporary, pooler, poolerFault, serverFault } = inspected
      const { replication, archiving, eventsUntil, secondsAhead } = inspected
      const schema = pending.length === 0 ? 'up to date' : `lacks ${shownMigrations(pending)}`
      const isReady = pending.length === 0
      const change = isReady ? await describeKeyChange(databaseUrl, rootKey, oldKey) : null
      return {
        facts: {
          ...facts,
          postgres,
          pooler,
          replication,
          archiving,
          schema,
          tenant_isolation: isolates ? 'in force' : 'NOT in force',
          temporary_tables: makesTemporary
            ? 'allowed; the owner of the database can run: revoke temporary on database … from public'
            : 'refused',
          clock_seconds_ahead: secondsAhead,
          ...(change?.fact && { old_encryption_key: change.fact }),
          ...(eventsUntil !== null && { event_log_until: new Date(eventsUntil).toISOString().slice(0, 10) }),
        },
        problem:
          poolerFault ??
          serverFault ??
          change?.problem ??
          (pending.length > 0
            ? 'The schema of the database does not fit this version of Crosswalk: run npm run crosswalk -- migrate, or start the server.'
            : isolates
              ? null
              : 'Row-level security does not work: a table lost its policy, or crosswalk_app has rights that it must not have.'),
      }
    } finally {
      await embedded?.stop('smart')
    }
  } catch (error) {
    return { facts, problem: errorText(error) }
  }
}

async function examineRedis({ redisUrl }: Config): Promise<Findings> {
  if (redisUrl === null) return { facts: { redis: null }, problem: null }
  const redis = shownRedisAddress(redisUrl)
  const link = await RedisLink.create(redisUrl, createLog('silent'), redisWithinMs)
  try {
    await link.start()
    if (link.isUp) return { facts: { redis, redis_server: await link.version() }, problem: null }
    return {
      facts: { redis, redis_server: 'away' },
      problem: `Redis does not work (${reasonOf(link.fault)}): check that Redis runs and that REDIS_URL is right. Until then each process counts rate limits separately.`,
    }
  } finally {
    link.close()
  }
}

function settingsOf(config: Config): Facts {
  const key = config.encryptionKey ? 'ENCRYPTION_KEY' : config.encryptionKeyFile
  return {
    encryption_key: key ?? `${config.dataDir}/encryption.key`,
    host: config.host,
    port: config.port,
    public_url: config.publicUrl && shownAddress(config.publicUrl),
    role: config.role,
    api_processes: config.role === 'worker' ? null : config.apiProcesses.count,
    demo: config.demo,
    log_level: config.logLevel,
    trust_proxy: config.trustProxy,
    connections_per_address: config.connectionsPerAddress,
    drain_seconds: config.drainSeconds,
    import_max_bytes: config.importMaxBytes,
    tracking_retention_days: config.trackingRetentionDays,
    event_retention_days: config.eventRetention?.days ?? null,
    event_export_dir: config.eventRetention?.folder ?? null,
    call_retention_days: config.callRetentionDays,
    crm_job_retention_days: config.crmJobRetentionDays,
    metrics_token: config.metricsToken === null ? null : 'set',
    traces: config.traces && `${config.traces.sampler}, ratio ${config.traces.ratio}`,
    console: config.servesConsole,
    oauth_registration: config.oauthRegistration,
    duplicate_checks: config.checksDuplicates,
    outbound_allow_private: config.outboundAllowPrivate,
    twilio_api_url: shownAddress(config.twilioApiUrl),
    vapi_api_url: shownAddress(config.vapiApiUrl),
    gmail_api_url: shownAddress(config.gmailApiUrl),
    google_token_url: shownAddress(config.googleTokenUrl),
    hubspot_api_url: shownAddress(config.hubspotApiUrl),
    salesforce_login_url: shownAddress(config.salesforceLoginUrl),
  }
}

/** Names up to five migrations. Of more migrations, as a new database lacks, only the first and the last are named. */
const shownMigrations = (names: readonly string[]) =>
  names.length <= 5 ? names.join(', ') : `${names.length} migrations, ${names[0]} to ${names.at(-1)}`

const shownAddress = (address: string) => address.replace(/\/\/[^/]*@/, '//')

function withoutSecrets(url: string): string {
  const several = hostsOf(url)
  const parsed = URL.parse(several?.first ?? url)
  if (parsed === null) return 'same as DATABASE_URL'
  const { protocol, username, pathname, searchParams } = parsed
  const host = several?.hosts.all.map(hostAndPort).join(',') ?? parsed.host
  const socket = searchParams.get('host')
  return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}${socket ? `?host=${socket}` : ''}`
}
