import { membersOf } from '../../platform/members.ts'
import { retryAfterSeconds, shorten } from '../../platform/outbound/answers.ts'
import type { Outbound, OutboundRequest } from '../../platform/outbound/outbound.ts'
import { parseUntrustedJson } from '../../platform/outbound/untrusted-json.ts'
import { AccessRefused, BatchRefused, CrmSetupError, Unavailable } from './adapter.ts'
import { sendOnce } from './send-once.ts'

/**
 * `json`: undefined if the body is not JSON. `retryAfter`: in seconds. `usage`: the requests of the org in 24 hours.
 */
export type SalesforceReply = {
  status: number
  json: unknown
  retryAfter: number | undefined
  usage: DailyRequests | undefined
}

export type DailyRequests = { used: number; most: number }

export type SalesforceFault = { code: string; message: string; fields: readonly string[] }

/**
 * The pause after the daily limit is reached. Salesforce counts the last 24 hours, so requests become available
 * gradually.
 */
const dailyLimitSeconds = 900

/** The maximum number of objects and lists in an answer: a description has one for each value of each picklist. */
const containersMax = 250_000

/**
 * Sends one request.
 * @param owner the organization whose thread time parses the answer
 * @throws Unavailable without a complete answer: Salesforce may still have carried out the request
 */
export async function sendRequest(
  { outbound, owner }: { outbound: Outbound; owner: string },
  request: OutboundRequest,
): Promise<SalesforceReply> {
  const { status, headers, body } = await sendOnce(outbound, request)
  const retryAfter = retryAfterSeconds(headers['retry-after'])
  return {
    status,
    json: await parseUntrustedJson(owner, body, { containersMax }),
    retryAfter,
    usage: usageOf(headers['sforce-limit-info']),
  }
}

/** Reads a header such as `api-usage=18/5000` (developer.salesforce.com, REST API, Limit Info Header). */
function usageOf(header: string | string[] | undefined): DailyRequests | undefined {
  const [, used, most] = /\bapi-usage=(\d+)\/(\d+)/.exec(String(header)) ?? []
  return most === undefined ? undefined : { used: Number(used), most: Number(most) }
}

/** The share of an org's daily requests that stays free for other apps. */
const reserve = 0.05

/** @throws Unavailable if only the requests for other apps are left */
export function requireRequestsLeft(usage: DailyRequests | undefined): void {
  if (!usage || usage.used < usage.most * (1 - reserve)) return
  const { used, most } = usage
  throw new Unavailable(
    `Salesforce’s requests of 24 hours are nearly used up (${used} of ${most}), and the rest is reserved for other apps`,
    dailyLimitSeconds,
  )
}

/** The value if it is text, otherwise an empty text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Reads the errors of an answer: `[{message, errorCode, fields}]` for a request
 * (developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/errorcodes.htm), with `statusCode` for a record.
 */
export function faultsOf(value: unknown): SalesforceFault[] {
  return (Array.isArray(value) ? value : []).map((each) => {
    const { errorCode, statusCode, message, fields } = membersOf(each)
    return {
      code: textOf(errorCode) || textOf(statusCode),
      message: textOf(message),
      fields: Array.isArray(fields) ? fields.map(textOf).filter(Boolean) : [],
    }
  })
}

/** Removes secrets from a text. */
export type Redact = (text: string) => string

/**
 * Turns an unsuccessful answer into an error of the push.
 * @param what the object of the request, such as `Lead`
 */
export function failureOf(reply: SalesforceReply, what: string, hide: Redact): Error {
  const { status, retryAfter } = reply
  const [fault] = faultsOf(reply.json)
  const { code = '', message = '' } = fault ?? {}
  const explanation = shorten(
    hide([message, code && `(${code})`].filter(Boolean).join(' ')) || `status ${status}`,
  )
  if (isBusy(status) || code === 'REQUEST_LIMIT_EXCEEDED' || code === 'SERVER_UNAVAILABLE') {
    const isDaily = code === 'REQUEST_LIMIT_EXCEEDED' && message.startsWith('TotalRequests')
    const after = retryAfter ?? (isDaily ? dailyLimitSeconds : undefined)
    return new Unavailable(`Salesforce is not available: ${explanation}`, after)
  }
  if (status === 401 || orgClosedCodes.has(code))
    return new AccessRefused(`Salesforce refuses access: ${explanation}`)
  if (status === 403)
    return new CrmSetupError(`Salesforce refuses this to the user of the connection: ${explanation}`)
  if (missingFieldCodes.has(code) || [404, 405, 410].includes(status))
    return new CrmSetupError(
      `Salesforce refused the push for ${what}: ${explanation}. POST …/test names what is missing.`,
    )
  if (status >= 400 && status < 500) return new BatchRefused(`Salesforce refused it: ${explanation}`)
  return new Unavailable(`Salesforce sent an unexpected answer: ${explanation}`)
}

/** The statuses on which jsforce retries (src/request.ts). */
export const isBusy = (status: number): boolean => status === 420 || status === 429 || status >= 500

/** Codes that mean that the org refuses every request of the connection. */
const orgClosedCodes = new Set(['API_DISABLED_FOR_ORG', 'API_CURRENTLY_DISABLED', 'INVALID_SESSION_ID'])
/** A missing object or field fails all records of a batch, because they have the same fields. */
const missingFieldCodes = new Set([
  'NOT_FOUND',
  'INVALID_FIELD',
  'INVALID_TYPE',
  'INVALID_FIELD_FOR_INSERT_UPDATE',
])
