import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../platform/caller.ts'
import { unauthenticated } from '../platform/domain-error.ts'
import type { CodeOf } from '../platform/error-codes/catalog.ts'
import type { Ceilings, RateDecision, RateLimitStore } from '../platform/rate-limit/rate-limit.ts'
import type { AnonymousBudget } from './anonymous-budget.ts'
import type { CredentialCache } from './credential-cache.ts'
import { enforceRateLimit } from './enforce-rate-limit.ts'
import type { KnownKey } from './known-keys.ts'
import type { ClientLinks } from './known-links.ts'
import type { LastUsed } from './last-used.ts'
import { thenMaybeSync } from './maybe-sync.ts'
import { orgNamedBy } from './named-org.ts'
import { hashToken, hasWrongLength, readAuthorization } from './token.ts'

const howTo = 'use Authorization: Bearer <api_key>'
type Refusal = Exclude<
  CodeOf<'unauthenticated'>,
  'app_disconnected' | 'session_ended' | 'sign_in_failed' | 'write_key_missing' | 'write_key_unknown'
>

const refusals: Readonly<Record<Refusal, string>> = {
  api_key_missing: `The Authorization header is missing; ${howTo}`,
  authorization_malformed: `The Authorization header is not of the right form; ${howTo}`,
  authorization_repeated: `The request has several Authorization headers, and a proxy may have checked another one; send the header once`,
  jwt_not_accepted: `A JWT is not an API key and is not accepted here; ${howTo} with an organization API key`,
  api_key_mistyped: `This API key is not valid: a part of it is missing or changed; ${howTo} with the whole key`,
  api_key_unknown: `This API key is not valid: it does not exist, or was deleted; ${howTo} with a key of your organization`,
  api_key_expired: `This API key is not valid: it has expired; ${howTo} with a key of your organization`,
  api_key_orphaned: `This API key is not associated with an organization; ${howTo} with a key of an existing one`,
}

/** A program, with the limits that `payerId` has. */
export type KeyCaller = Caller & { ceilings: Ceilings }

export type KeyGate = (request: FastifyRequest, reply: FastifyReply) => KeyCaller | Promise<KeyCaller>

export type GateParts = {
  keys: CredentialCache<KnownKey>
  links: ClientLinks
  lastUsed: LastUsed
  /** Counts the requests of each org. */
  limits: RateLimitStore
  /** For each client address, counts the requests without a valid key. */
  anonymous: AnonymousBudget
}

/**
 * Authenticates a request. Checks the key, the rate limit, misspelled headers, X-Org-Id and X-Target-Org-Id, in this
 * order. Returns a promise only if it must look up the key or the client, or ask Redis or the supervisor for the
 * limits.
 */
export function createGate({ keys, links, lastUsed, limits, anonymous }: GateParts): KeyGate {
  /**
   * @param spent the decision of the rate limit, if the request was already counted as a request without a valid key
   */
  function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    key: KnownKey | null,
    spent?: RateDecision,
  ): KeyCaller | Promise<KeyCaller> {
    if (!key) return refuse(request, reply, whyUnknown(request), spent)
    if (key.expiresAtMs !== null && key.expiresAtMs <= Date.now())
      return refuse(request, reply, 'api_key_expired', spent)
    if (!key.hasOrg) return refuse(request, reply, 'api_key_orphaned', spent)
    lastUsed.note(key)
    return thenMaybeSync(limits.take(key.payer.id, key.payer.ceilings), (decision) =>
      callerWithin(links, request, reply, key, decision),
    )
  }

  function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    code: Refusal,
    spent: RateDecision | Promise<RateDecision> = anonymous.take(request.ip),
  ): KeyCaller | Promise<KeyCaller> {
    return thenMaybeSync<RateDecision, KeyCaller>(spent, (decision) => {
      enforceRateLimit(decision, reply)
      throw unauthenticated(code, code === 'api_key_unknown' ? unknownText(request) : refusals[code])
    })
  }

  return (request, reply) => {
    if (isRepeated(request.raw.rawHeaders)) return refuse(request, reply, 'authorization_repeated')
    const authorization = readAuthorization(request.headers.authorization)
    if (authorization.kind !== 'token') return refuse(request, reply, authorization.kind)
    if (!authorization.wellFormed) return refuse(request, reply, 'api_key_mistyped')
    const tokenHash = hashToken(authorization.body)
    const known = keys.peek(tokenHash)
    if (known) return admit(request, reply, known)
    if (keys.expects(tokenHash) || anonymous.mayGuess(request.ip, tokenHash)) {
      return keys.load(tokenHash).then((key) => admit(request, reply, key))
    }
    return thenMaybeSync(anonymous.take(request.ip), (spent) =>
      spent.allowed
        ? keys.load(tokenHash).then((key) => admit(request, reply, key, spent))
        : refuse(request, reply, whyUnknown(request), spent),
    )
  }
}

/** The code for a key that no organization has. */
function whyUnknown(request: FastifyRequest): Refusal {
  return hasWrongLength(sentToken(request)) ? 'api_key_mistyped' : 'api_key_unknown'
}

/** The text for a token that no organization has. Tokens of other kinds have a form of their own. */
function unknownText(request: FastifyRequest): string {
  const token = sentToken(request)
  if (/^wk_(live|test)_/.test(token))
    return `This is a write key, which only sends web events and forms; ${howTo} with an API key`
  if (/^[\w-]{43}$/.test(token) && !token.startsWith('svc_'))
    return `This is not an API key. Access tokens of connected apps work only at /mcp; ${howTo} with an API key`
  if (/^["'<]|["'>]$/.test(token))
    return `This API key is not valid. Send the key without the quotation marks or brackets around it; ${howTo}`
  return refusals.api_key_unknown
}

const sentToken = ({ headers }: FastifyRequest): string =>
  headers.authorization?.trim().split(' ').at(-1) ?? ''

function callerWithin(
  links: ClientLinks,
  request: FastifyRequest,
  reply: FastifyReply,
  key: KnownKey,
  decision: RateDecision,
): KeyCaller | Promise<KeyCaller> {
  if (!decision.allowed) request.overLimit = key
  enforceRateLimit(decision, reply, key.payer.ceilingsOrgId !== key.orgId)
  return thenMaybeSync(orgNamedBy(links, key, request.headers), (orgId) => ({
    apiKeyId: key.apiKeyId,
    memberId: null,
    sessionId: null,
    name: key.name,
    homeOrgId: key.orgId,
    payerId: key.payer.id,
    ceilings: key.payer.ceilings,
    orgId,
    mode: key.mode,
    reachesClients: key.isAgency,
    permissions: key.permissions,
  }))
}

const header = 'authorization'

/** Returns whether there are two Authorization headers. Node.js returns the first one and drops the second. */
export function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === header.length && name.toLowerCase() === header) count++
  }
  return count > 1
}
