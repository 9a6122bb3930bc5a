import { ConfigurationError, type CrosswalkError } from './errors.ts'

/** One try, for hooks. Headers are left out, so that no hook logs the API key. */
export type Attempt = {
  method: string
  url: string
  /** The number of tries before this one; 0 for the first try. */
  retries: number
  idempotencyKey: string | null
}

export type Settings = {
  /** Milliseconds for each try; 0: no limit. By default 30,000, or no limit for a file. */
  timeoutMs?: number | undefined
  /** Retries after the first try; by default 3. */
  maxRetries?: number | undefined
  /** The longest wait before a retry in milliseconds; by default 60,000. A longer wait fails the call. */
  maxWaitMs?: number | undefined
  /** False sends every request at once. By default requests are spaced, to stay below the rate limits. */
  pace?: boolean | undefined
  /** Replaces the runtime's `fetch`. */
  fetch?: typeof fetch | undefined
  onRequest?: ((attempt: Attempt) => void) | undefined
  onResponse?:
    | ((attempt: Attempt & { status: number; requestId: string | null; durationMs: number }) => void)
    | undefined
  onRetry?: ((attempt: Attempt & { waitMs: number; error: CrosswalkError }) => void) | undefined
}

export type ClientOptions = Settings & {
  /** An API key: `svc_live_…` or `svc_test_…`. The constructor throws if the key is missing. */
  apiKey: string | undefined
  /** The address of your Crosswalk, such as `https://crosswalk.example.com`. */
  baseUrl: string | undefined
}

export type SessionOptions = Settings & { baseUrl: string; orgId: string; mode?: 'live' | 'test' | undefined }

export type CallOptions = {
  signal?: AbortSignal | undefined
  /** Milliseconds for each try. 0: unlimited. */
  timeoutMs?: number | undefined
  /** Milliseconds for the whole call, with its retries and waits. */
  deadlineMs?: number | undefined
  maxRetries?: number | undefined
  headers?: Record<string, string> | undefined
  /** By default, each POST gets a new key. All tries of a call send the same key. */
  idempotencyKey?: string | undefined
  /** The `version` of the object that you read. If it is not the current version, the call throws a ConflictError. */
  ifMatch?: number | undefined
}

const settings = [
  'timeoutMs',
  'maxRetries',
  'maxWaitMs',
  'pace',
  'fetch',
  'onRequest',
  'onResponse',
  'onRetry',
  'baseUrl',
]
export const clientOptions: readonly string[] = ['apiKey', ...settings]
export const sessionOptions: readonly string[] = ['orgId', 'mode', ...settings]
const callOptions = [
  'signal',
  'timeoutMs',
  'deadlineMs',
  'maxRetries',
  'headers',
  'idempotencyKey',
  'ifMatch',
]

/** @throws ConfigurationError for an unknown option, or a number option without a number */
export function requireKnown(options: object, known: readonly string[] = callOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!known.includes(name))
      throw new ConfigurationError(`Unknown option ${name}. The options are ${known.join(', ')}.`)
    if (/Ms$|^maxRetries$/.test(name) && value !== undefined && !(typeof value === 'number' && value >= 0))
      throw new ConfigurationError(`${name} must be a number of at least 0.`)
  }
}

/** @throws ConfigurationError, whose message never repeats the key */
export function requireKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || apiKey === '')
    throw new ConfigurationError('apiKey is missing. Pass an API key of Crosswalk: svc_live_… or svc_test_….')
  if (!/^svc_(live|test)_\w+$/.test(apiKey))
    throw new ConfigurationError(
      'apiKey is malformed. An API key is svc_live_ or svc_test_ and then letters and digits, without spaces or line ends.',
    )
  return apiKey
}

/** @throws ConfigurationError without an id: an empty header would act on the organization of the key */
export function requireOrg(orgId: unknown): string {
  if (typeof orgId === 'string' && orgId !== '') return orgId
  throw new ConfigurationError('orgId is missing. Pass the id of an organization.')
}

/** Paths are added to the result. @throws ConfigurationError if `baseUrl` is no http address */
export function apiAddress(baseUrl: unknown): string {
  if (typeof baseUrl !== 'string' || !/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new ConfigurationError(
      'baseUrl must be the address of Crosswalk with its scheme, such as https://crosswalk.example.com.',
    )
  const { username, password, search, hash, origin, pathname } = new URL(baseUrl)
  if (username || password || search || hash)
    throw new ConfigurationError('baseUrl must not have a user, a password, a query or a fragment.')
  const path = pathname.replace(/\/+$/, '')
  return origin + (path.endsWith('/v1') ? path : `${path}/api/v1`)
}
