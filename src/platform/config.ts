import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { addressFault, type PooledAddress, type PoolerMode } from './db/address.ts'
import { type EventRetention, eventRetentionOf, folderMissing } from './event-retention.ts'
import { hostAndPort } from './host-and-port.ts'
import { nearestSpelling } from './nearest-name.ts'
import { type ApiProcesses, apiProcessesOf, processCount } from './process-count.ts'
import { isTrustProxy, readTrustProxy, type TrustProxy } from './proxies.ts'
import { redisAddressFault } from './rate-limit/redis-address.ts'
import { type Sampling, samplers } from './tracing/sampling.ts'

export const projectRoot: string = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

/** The variables of this process. */
export const environment = (): Record<string, string | undefined> => process.env

const blank = (value: unknown) => (value === '' ? undefined : value)
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blank, schema.optional())
const flag = z.preprocess(
  blank,
  z
    .enum(['0', '1', 'true', 'false'], { error: 'must be 1 or 0' })
    .optional()
    .transform((value) => value === '1' || value === 'true'),
)
const wholeNumber = (min: number, max: number) =>
  z.preprocess(
    blank,
    z.coerce
      .number({ error: `must be a whole number from ${min} to ${max}` })
      .int({ error: `must be a whole number from ${min} to ${max}` })
      .min(min, { error: `must be at least ${min}` })
      .max(max, { error: `must be at most ${max}` })
      .optional(),
  )
const postgresUrl = z.string().superRefine((url, { addIssue }) => {
  const fault = /^(postgres|postgresql):\/\//.test(url)
    ? addressFault(url)
    : 'must start with postgres:// or postgresql://'
  if (fault) addIssue({ code: 'custom', message: fault })
})
const redisUrl = z.string().superRefine((url, { addIssue }) => {
  const fault = redisAddressFault(url)
  if (fault) addIssue({ code: 'custom', message: fault })
})

const keyText = z.string().regex(/^\s*([A-Za-z0-9+/]{43}=?|[0-9a-fA-F]{64})\s*$/, {
  error: 'must be 32 random bytes, as base64 (openssl rand -base64 32) or as 64 hexadecimal digits',
})

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
const ownAddress = webAddress.regex(/^[^?#]*$/, { error: 'must not have a query (?) or a fragment (#)' })

const share = 'must be a number from 0 to 1'

const Environment = z.object({
  PORT: wholeNumber(0, 65535),
  HOST: optional(z.string()),
  PUBLIC_URL: optional(ownAddress),
  DATA_DIR: optional(z.string()),
  DATABASE_URL: optional(postgresUrl),
  DIRECT_DATABASE_URL: optional(postgresUrl),
  POOLER: optional(z.enum(['session', 'transaction'], { error: 'must be session or transaction' })),
  REDIS_URL: optional(redisUrl),
  ENCRYPTION_KEY: optional(keyText),
  ENCRYPTION_KEY_FILE: optional(z.string()),
  OLD_ENCRYPTION_KEY: optional(keyText),
  OLD_ENCRYPTION_KEY_FILE: optional(z.string()),
  METRICS_TOKEN: optional(z.string().min(16, { error: 'must have at least 16 characters' })),
  LOG_LEVEL: optional(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
      error: 'must be one of fatal, error, warn, info, debug, silent',
    }),
  ),
  API_PROCESSES: processCount,
  ROLE: optional(z.enum(['all', 'api', 'worker'], { error: 'must be all, api or worker' })),
  TRUST_PROXY: optional(
    z.string().refine(isTrustProxy, {
      error: 'must be true, false, a number of hops, or addresses and networks with commas in between',
    }),
  ),
  CONNECTIONS_PER_ADDRESS: wholeNumber(8, 4096),
  DRAIN_SECONDS: wholeNumber(0, 60),
  IMPORT_MAX_BYTES: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  TRACKING_RETENTION_DAYS: wholeNumber(14, 1095),
  EVENT_RETENTION_DAYS: wholeNumber(62, 36_500),
  EVENT_EXPORT_DIR: optional(z.string()),
  // GET /usage counts the calls of 400 days.
  CALL_RETENTION_DAYS: wholeNumber(401, 36_500),
  CRM_JOB_RETENTION_DAYS: wholeNumber(7, 36_500),
  DEMO: flag,
  DUPLICATE_CHECKS: flag,
  CONSOLE: flag,
  OAUTH_REGISTRATION: flag,
  OUTBOUND_ALLOW_PRIVATE: flag,
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(webAddress),
  OTEL_TRACES_SAMPLER: optional(z.enum(samplers, { error: `must be one of ${samplers.join(', ')}` })),
  OTEL_TRACES_SAMPLER_ARG: z.preprocess(
    blank,
    z.coerce.number({ error: share }).min(0, { error: share }).max(1, { error: share }).optional(),
  ),
  TWILIO_API_URL: optional(webAddress),
  VAPI_API_URL: optional(webAddress),
  GMAIL_API_URL: optional(webAddress),
  GOOGLE_TOKEN_URL: optional(webAddress),
  HUBSPOT_API_URL: optional(webAddress),
  SALESFORCE_LOGIN_URL: optional(webAddress),
})

/** The checked settings. Sizes are in bytes. With `port` 0, the system chooses a free port. */
export type Config = {
  port: number
  host: string
  /** The address at which clients reach this installation; null if it is not set. */
  publicUrl: string | null
  dataDir: string
  /** null means the embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | null
  /** The address of PostgreSQL itself, if `databaseUrl` is the address of a connection pooler; else null. */
  directDatabaseUrl: string | null
  /** What the pooler of `databaseUrl` lends a connection for. Without a pooler: session. */
  pooler: PoolerMode
  /** The Redis in which all processes share their rate limits; null: each process counts alone. */
  redisUrl: string | null
  encryptionKey: string | null
  encryptionKeyFile: string | null
  /** The earlier key. Only the command that changes the key uses it. */
  oldEncryptionKey: string | null
  oldEncryptionKeyFile: string | null
  metricsToken: string | null
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
  role: 'all' | 'api' | 'worker'
  /** How many processes of this machine serve the API on one port. */
  apiProcesses: ApiProcesses
  /** The name of this process, such as `api-1`, if a supervisor started it; else null. */
  processName: string | null
  trustProxy: TrustProxy
  /**
   * How many connections one client address may open in a process; null: a number that leaves a fair share to other
   * addresses.
   */
  connectionsPerAddress: number | null
  /** How long the server still serves after SIGTERM, while `/readyz` answers 503. */
  drainSeconds: number
  importMaxBytes: number
  /** Events of web pages are deleted after this many days. */
  trackingRetentionDays: number
  /** null: events of the audit log are kept forever. */
  eventRetention: EventRetention | null
  /** Ended calls are deleted after this many days; null: never. */
  callRetentionDays: number | null
  /** Jobs of the CRM sync are deleted this many days after their end; null: never. */
  crmJobRetentionDays: number | null
  demo: boolean
  /** Whether AI hosts may register themselves as OAuth clients. */
  oauthRegistration: boolean
  /** Whether this process builds and serves the web console. */
  servesConsole: boolean
  /** Whether this process, if it is a worker, checks changed records for duplicates. */
  checksDuplicates: boolean
  /** Whether this process, if it is a worker, polls the providers of calls and moves simulated calls. */
  movesCalls: boolean
  /** The cost of a password's hash. No setting changes it, but tests use a lower cost. */
  passwordCost: number
  /** Whether Crosswalk may send requests to private addresses that an organization entered. */
  outboundAllowPrivate: boolean
  /** Which traces are sent to the receiver of OTEL_EXPORTER_OTLP_ENDPOINT; null: none. */
  traces: Sampling | null
  /** The API addresses of voice providers, without a slash at the end. */
  twilioApiUrl: string
  vapiApiUrl: string
  /** The addresses of the Gmail API and of Google's token endpoint. */
  gmailApiUrl: string
  googleTokenUrl: string
  /** The address of HubSpot's API, without a slash at the end. */
  hubspotApiUrl: string
  /** The address for signing in to Salesforce, without a slash at the end. */
  salesforceLoginUrl: string
}

/** Settings are invalid. The message names each of them, and how to fix it. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Finds unknown variables, each with the setting that it may misspell (`ENCRYPTION_KEYFILE`). Short
 * names are skipped, because many are unrelated.
 */
export function misspelledSettings(
  env: Record<string, string | undefined> = process.env,
): { name: string; nearest: string }[] {
  const known = Object.keys(Environment.shape)
  return Object.keys(env).flatMap((name) => {
    if (name.length < 7 || known.includes(name)) return []
    const nearest = nearestSpelling(name, known)
    return nearest ? [{ name, nearest }] : []
  })
}

/** Reads the settings from environment variables. @throws ConfigError that names every invalid variable, and how to fix it */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const parsed = Environment.safeParse(env)
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)
  const databaseUrl = env.DATABASE_URL || null
  if (databaseUrl && !env.ENCRYPTION_KEY && !env.ENCRYPTION_KEY_FILE) {
    faults.push(
      'ENCRYPTION_KEY or ENCRYPTION_KEY_FILE is required with DATABASE_URL, the same on every node (openssl rand -base64 32)',
    )
  }
  if (env.EVENT_RETENTION_DAYS && !env.EVENT_EXPORT_DIR) faults.push(folderMissing)
  if (env.POOLER === 'transaction' && !env.DIRECT_DATABASE_URL) {
    faults.push(
      'DIRECT_DATABASE_URL is required with POOLER=transaction: the address of PostgreSQL itself, for migrations, notifications and the job engine',
    )
  }
  if (env.DIRECT_DATABASE_URL && !databaseUrl) {
    faults.push('DIRECT_DATABASE_URL needs DATABASE_URL, the address of the connection pooler')
  }
  if (env.ENCRYPTION_KEY && env.ENCRYPTION_KEY_FILE) {
    faults.push('ENCRYPTION_KEY and ENCRYPTION_KEY_FILE are both set; keep one')
  }
  if (env.OLD_ENCRYPTION_KEY && env.OLD_ENCRYPTION_KEY_FILE) {
    faults.push('OLD_ENCRYPTION_KEY and OLD_ENCRYPTION_KEY_FILE are both set; keep one')
  }
  if (!parsed.success || faults.length > 0) {
    throw new ConfigError(
      `These settings cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    )
  }
  const { data } = parsed
  return {
    port: data.PORT ?? 8080,
    // Brackets are part of an address with a port only.
    host: (data.HOST ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1'),
    publicUrl: data.PUBLIC_URL === undefined ? null : plain(data.PUBLIC_URL),
    dataDir: resolve(projectRoot, data.DATA_DIR ?? 'data'),
    databaseUrl,
    directDatabaseUrl: data.DIRECT_DATABASE_URL ?? null,
    pooler: data.POOLER ?? 'session',
    redisUrl: data.REDIS_URL ?? null,
    encryptionKey: data.ENCRYPTION_KEY ?? null,
    encryptionKeyFile: data.ENCRYPTION_KEY_FILE ?? null,
    oldEncryptionKey: data.OLD_ENCRYPTION_KEY ?? null,
    oldEncryptionKeyFile: data.OLD_ENCRYPTION_KEY_FILE ?? null,
    metricsToken: data.METRICS_TOKEN ?? null,
    logLevel: data.LOG_LEVEL ?? 'info',
    role: data.ROLE ?? 'all',
    apiProcesses: apiProcessesOf(data.API_PROCESSES),
    // No setting: only a supervisor sets it, for the processes that it starts.
    processName: env.CROSSWALK_PROCESS || null,
    trustProxy: readTrustProxy(data.TRUST_PROXY),
    connectionsPerAddress: data.CONNECTIONS_PER_ADDRESS ?? null,
    drainSeconds: data.ROLE === 'worker' ? 0 : (data.DRAIN_SECONDS ?? 0),
    importMaxBytes: data.IMPORT_MAX_BYTES ?? 2 * 1024 ** 3,
    trackingRetentionDays: data.TRACKING_RETENTION_DAYS ?? 180,
    eventRetention: eventRetentionOf(data.EVENT_RETENTION_DAYS, data.EVENT_EXPORT_DIR),
    callRetentionDays: data.CALL_RETENTION_DAYS ?? null,
    crmJobRetentionDays: data.CRM_JOB_RETENTION_DAYS ?? null,
    demo: env.DEMO ? data.DEMO : databaseUrl === null,
    oauthRegistration: env.OAUTH_REGISTRATION ? data.OAUTH_REGISTRATION : true,
    servesConsole: env.CONSOLE ? data.CONSOLE : true,
    checksDuplicates: env.DUPLICATE_CHECKS ? data.DUPLICATE_CHECKS : true,
    movesCalls: true,
    passwordCost: 15,
    outboundAllowPrivate: data.OUTBOUND_ALLOW_PRIVATE,
    traces: data.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          sampler: data.OTEL_TRACES_SAMPLER ?? 'parentbased_traceidratio',
          ratio: data.OTEL_TRACES_SAMPLER_ARG ?? 1,
        }
      : null,
    twilioApiUrl: plain(data.TWILIO_API_URL ?? 'https://api.twilio.com'),
    vapiApiUrl: plain(data.VAPI_API_URL ?? 'https://api.vapi.ai'),
    gmailApiUrl: plain(data.GMAIL_API_URL ?? 'https://gmail.googleapis.com'),
    googleTokenUrl: plain(data.GOOGLE_TOKEN_URL ?? 'https://oauth2.googleapis.com/token'),
    hubspotApiUrl: plain(data.HUBSPOT_API_URL ?? 'https://api.hubapi.com'),
    salesforceLoginUrl: plain(data.SALESFORCE_LOGIN_URL ?? 'https://login.salesforce.com'),
  }
}

/** The address for links: PUBLIC_URL, or else the address of the server as a program on this machine reaches it. */
export function linkOrigin({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== null) return publicUrl
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`
  return `http://${hostAndPort({ host, port })}`
}

/** The pooler in front of the database that DIRECT_DATABASE_URL names; null: there is no such setting. */
export const pooledAddress = ({
  databaseUrl,
  directDatabaseUrl,
  pooler,
}: Pick<Config, 'databaseUrl' | 'directDatabaseUrl' | 'pooler'>): PooledAddress | null =>
  databaseUrl !== null && directDatabaseUrl !== null ? { url: databaseUrl, mode: pooler } : null

const plain = (address: string) => address.replace(/\/+$/, '')
