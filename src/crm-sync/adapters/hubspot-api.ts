import { setTimeout as delay } from 'node:timers/promises'
import { membersOf } from '../../platform/members.ts'
import { type OutboundAnswer, retryAfterSeconds, shorten } from '../../platform/outbound/answers.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Pace } from '../../platform/outbound/pace.ts'
import { parseShortJson, parseUntrustedJson } from '../../platform/outbound/untrusted-json.ts'
import { AccessRefused, CrmSetupError, Unavailable } from './adapter.ts'
import { sendOnce } from './send-once.ts'

/**
 * Access to HubSpot. `owner` is the organization whose thread time parses the answers. `apiUrl` has no slash at the end.
 */
export type HubSpotAccess = { outbound: Outbound; owner: string; apiUrl: string; pace: Pace }

/** HubSpot's 100 requests in 10 seconds (developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines). */
export const hubspotPace = { burst: 20, perSecond: 8 }

export type HubSpotObject = 'contacts' | 'leads'

export type Members = Readonly<Record<string, unknown>>

/** Shorter than the 30 s for which the SDK waits for a test of the connection. */
const timeoutMs = 25_000
/** The properties of an account and their options can have several megabytes. */
const [maxBytes, containersMax] = [16 * 1024 ** 2, 250_000]

/** The wait after each kind of rate limit, in seconds. The daily limit ends at midnight. */
const waitSecondsByLimit: Readonly<Record<string, number>> = {
  SECONDLY: 1,
  TEN_SECONDLY_ROLLING: 10,
  DAILY: 3_600,
}
const defaultWaitSeconds = 10
/** HubSpot locks records for 2 seconds after a batch writes them (developers.hubspot.com/docs/api-reference/error-handling). */
const lockedWaitSeconds = 2

/** HubSpot refused a whole request because of one part. */
export class RequestRefused extends Error {
  override name = 'RequestRefused'
  readonly isConflict: boolean
  constructor(message: string, isConflict: boolean) {
    super(message)
    this.isConflict = isConflict
  }
}

/** HubSpot's REST API with the token of a private app. No error that it throws contains the token. */
export class HubSpotApi {
  readonly #access: HubSpotAccess
  readonly #connectionId: string
  readonly #token: string

  constructor(access: HubSpotAccess, connectionId: string, token: string) {
    this.#access = access
    this.#connectionId = connectionId
    this.#token = token
  }

  /** Sends a request. Returns the fields of the answer. @throws Unavailable, AccessRefused, CrmSetupError; RequestRefused */
  async ask(
    object: HubSpotObject,
    request: { method: 'GET' | 'POST'; path: string; body?: object },
    signal?: AbortSignal,
  ): Promise<Members> {
    const { outbound, owner, apiUrl, pace } = this.#access
    const wait = pace.take(this.#connectionId)
    if (wait > 0) await delay(wait, undefined, signal ? { signal } : {})
    signal?.throwIfAborted()
    const answer = await sendOnce(outbound, {
      ...{ method: request.method, url: apiUrl + request.path, timeoutMs, maxBytes, trusted: true },
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(request.body && { body: JSON.stringify(request.body) }),
    })
    const json = await parseUntrustedJson(owner, answer.body, { containersMax })
    if (answer.status >= 200 && answer.status < 300) {
      if (json === undefined) throw new Unavailable('HubSpot’s answer is incomplete')
      return membersOf(json)
    }
    throw this.#errorOf(object, answer, membersOf(json))
  }

  /** `{status: 'error', category, message, correlationId, errors, context}` (the schema Error of HubSpot's OpenAPI files). */
  #errorOf(object: HubSpotObject, { status, headers }: OutboundAnswer, error: Members): Error {
    const explanation = this.words(error) || `status ${status}`
    if (status === 429) {
      const limit = typeof error.policyName === 'string' ? error.policyName : ''
      const seconds =
        waitSecondsByLimit[limit] ?? retryAfterSeconds(headers['retry-after']) ?? defaultWaitSeconds
      return new Unavailable(`HubSpot’s limit of requests is reached: ${explanation}`, seconds)
    }
    if (status === 423)
      return new Unavailable(`HubSpot is changing the same records: ${explanation}`, lockedWaitSeconds)
    if (status >= 500 || status === 408 || status === 477)
      return new Unavailable(
        `HubSpot is not available: ${explanation}`,
        retryAfterSeconds(headers['retry-after']),
      )
    if (status === 401) {
      return new AccessRefused(
        `HubSpot refuses the access token: ${explanation} Send a valid one (PATCH /integrations/crm-sync/connections/${this.#connectionId})`,
      )
    }
    if (status === 403) return new CrmSetupError(scopesMissing(object, explanation, scopesOf(error)))
    if (status === 404 || /unable to infer object type/i.test(explanation))
      return new CrmSetupError(objectMissing(object, explanation))
    if (isUnknownProperty(error))
      return new CrmSetupError(`${explanation} Change field_map, or add the property there`)
    return new RequestRefused(explanation, status === 409 || isConflict(error))
  }

  /** The texts of an error, for people, without the token. */
  words(error: Members): string {
    const text = typeof error.message === 'string' ? error.message : ''
    const inner = text.startsWith(invalidPrefix) ? reasonsIn(text.slice(invalidPrefix.length)) : text
    const details = listOf(error.errors).map(({ message }) => (typeof message === 'string' ? message : ''))
    const all = [inner, ...details.filter((detail) => detail !== '' && !inner.includes(detail))]
    return shorten(all.join(' ').replaceAll(this.#token, '…'))
  }
}

const invalidPrefix = 'Property values were not valid: '

/** HubSpot names invalid values as JSON inside a message. */
function reasonsIn(json: string): string {
  const reasons = listOf(parseShortJson(json)).map(({ message }) => message)
  return reasons.length > 0 ? reasons.join('; ') : json
}

/** Returns whether another record has a value that must be unique. */
export function isConflict(error: Members): boolean {
  return error.category === 'CONFLICT' || /CONFLICTING_UNIQUE_VALUE|already (exists|has)/.test(textOf(error))
}

/** Returns whether the error names an unknown property, which fails every person of the request. */
export const isUnknownProperty = (error: Members): boolean => /PROPERTY_DOESNT_EXIST/.test(textOf(error))

const textOf = ({ message, errors }: Members) => JSON.stringify([message, errors])

const products = {
  contacts: '',
  leads:
    ' Leads in HubSpot need Sales Hub Professional or more. Without it, push people as contacts: POST /integrations/crm-sync/contacts/push',
}

function scopesMissing(object: HubSpotObject, explanation: string, scopes: readonly string[]): string {
  const asked = `crm.objects.${object}.read and crm.objects.${object}.write`
  const named = scopes.length > 0 ? ` It names ${scopes.join(', ')}.` : ''
  return `HubSpot does not let this app use its ${object}: ${explanation}${named} Give the app the scopes ${asked}.${products[object]}`
}

const objectMissing = (object: HubSpotObject, explanation: string) =>
  `HubSpot has no ${object} in this account: ${explanation}.${products[object]}`

/** Reads the scopes from `errors[].context.requiredGranularScopes` or `missingScopes`. */
function scopesOf(error: Members): string[] {
  const contexts = [error, ...listOf(error.errors)].map(({ context }) => membersOf(context))
  const scopes = contexts.flatMap(({ requiredGranularScopes, missingScopes }) => [
    requiredGranularScopes,
    missingScopes,
  ])
  return scopes.flatMap((names) =>
    Array.isArray(names)
      ? names.filter((name) => typeof name === 'string' && /^[\w.-]{1,80}$/.test(name))
      : [],
  )
}

/** The objects of a list; empty if the value is not a list. */
export const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.map(membersOf) : [])
