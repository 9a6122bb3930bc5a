import { ConfigurationError, type CrosswalkError } from './errors.ts'

/** One try, for hooks. It has no headers, so that no hook logs the API key. */
export type Attempt = {
  method: string
  url: string
  /** How many tries came before this one. */
  retries: number
  idempotencyKey: string | null
}

export type Settings = {
  /** The time limit of each try in milliseconds; 0: none. The default is 30,000, or 0 for a file. */
  timeoutMs?: number | undefined
  /** How many times a failed request is sent again; 3 by default. */
  maxRetries?: number | undefined
  /**
   * The longest wait before a retry in milliseconds; 60,000 by default. If a longer wait is needed, the call fails.
   */
  maxWaitMs?: number | undefined
  /** Whether requests are spaced to stay below the rate limits, which is the default. */
  pace?: boolean | undefined
  /** Replaces the runtime's `fetch`. */
  fetch?: typeof fetch | undefined
  onRequest?: ((attempt: Attempt) => void) | undefined
  onResponse?:
    | ((attempt: Attempt & { status: number; requestId: string | null; durationMs: number }) => void)
    | undefined
  onRetry?: ((attempt: Attempt & { waitMs: number; error: CrosswalkError }) => void) | undefined
}

/** Called for each loss of events: a full queue, or a refusal that no retry can change. */
export type OnTrackError = (error: CrosswalkError, lost: number) => void

export type ClientOptions = Settings & {
  /** An API key: `svc_live_…` or `svc_test_…`. Without one, the constructor throws an error. */
  apiKey: string | undefined
  /** The address of your Crosswalk, such as `https://crosswalk.example.com`. */
  baseUrl: string | undefined
  /** Called if events of `track()` are lost: the server refuses them, or 10,000 events wait already. */
  onTrackError?: OnTrackError | undefined
}

export type SessionOptions = Settings & { baseUrl: string; orgId: string; mode?: 'live' | 'test' | undefined }

export type CallOptions = {
  signal?: AbortSignal | undefined
  /** The time limit of each try in milliseconds; 0: none. */
  timeoutMs?: number | undefined
  /** The time limit of the whole call in milliseconds, with retries and waits. */
  deadlineMs?: number | undefined
  maxRetries?: number | undefined
  headers?: Record<string, string> | undefined
  /** The idempotency key of this call. Each retry sends the same one. By default, each POST gets a new idempotency key. */
  idempotencyKey?: string | undefined
  /** The `version` of the object that you read. If it has changed since, the call throws a ConflictError. */
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
export const clientOptions: readonly string[] = ['apiKey', 'onTrackError', ...settings]
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

/** @throws ConfigurationError if options are a text, a number or a list */
export function requireObject(options: unknown): void {
  if (typeof options !== 'object' || Array.isArray(options))
    throw new ConfigurationError('The options must be an object, such as { timeoutMs: 5000 }.')
}

/** @throws ConfigurationError for options that are not an object, an unknown option, or a number option without a number */
export function requireKnown(options: object, known: readonly string[] = callOptions): void {
  requireObject(options)
  for (const [name, value] of Object.entries(options)) {
    if (!known.includes(name))
      throw new ConfigurationError(`Unknown option ${name}. The options are ${known.join(', ')}.`)
    if (/Ms$|^maxRetries$/.test(name) && value !== undefined && !(typeof value === 'number' && value >= 0))
      throw new ConfigurationError(`${name} must be a number of at least 0.`)
  }
}

/** @throws ConfigurationError, whose message does not contain the key */
export function requireKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || apiKey === '')
    throw new ConfigurationError('apiKey is missing. Pass an API key of Crosswalk: svc_live_… or svc_test_….')
  if (!/^svc_(live|test)_\w+$/.test(apiKey))
    throw new ConfigurationError(
      'apiKey is malformed. An API key is svc_live_ or svc_test_ and then letters and digits, without spaces or line ends.',
    )
  return apiKey
}

/** @throws ConfigurationError without an id: with an empty header, the request would act on the key's organization */
export function requireOrg(orgId: unknown): string {
  if (typeof orgId === 'string' && orgId !== '') return orgId
  throw new ConfigurationError('orgId is missing. Pass the id of an organization.')
}

/** Paths are added to the result. @throws ConfigurationError if `baseUrl` is not an http address */
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
