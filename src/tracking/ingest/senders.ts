import type { IncomingHttpHeaders } from 'node:http'
import type { AnonymousBudget } from '../../auth/anonymous-budget.ts'
import type { CredentialCache } from '../../auth/credential-cache.ts'
import type { KnownKey } from '../../auth/known-keys.ts'
import type { ClientLinks } from '../../auth/known-links.ts'
import { orgNamedBy } from '../../auth/named-org.ts'
import { allows } from '../../auth/permissions.ts'
import { hashToken, readToken } from '../../auth/token.ts'
import { networkOf } from '../../platform/client-network.ts'
import { forbidden, tooMany, unauthenticated } from '../../platform/domain-error.ts'
import { noWriteKey } from '../store/counts.ts'
import { eventTypes, type WebEventType } from '../wire/event.ts'
import { isKeyText } from '../write-keys/key-text.ts'
import type { KeyLimits } from './budgets.ts'
import type { KnownWriteKey } from './known-write-keys.ts'

/** The organization that a request sends events to, and what its key may do. */
export type Sender = {
  orgId: string
  /**
   * Requests with the same owner share slices and a memory limit. Write keys are public, so they have another owner than
   * the API keys of the organization.
   */
  owner: string
  /** While this process serves other organizations, requests of the same payer take turns as one, whichever keys they have. */
  payerId: string
  mode: 'live' | 'test'
  /** The write key under which events are counted, or `noWriteKey`. */
  keyId: string
  /** True for an API key. */
  isTrusted: boolean
  /** The origins that browsers may send; empty: every origin. */
  origins: readonly string[]
  allowed: ReadonlySet<WebEventType>
  limits: KeyLimits
  /** The client address, which has a budget together with the key; null: no such budget, as for API keys. */
  address: string | null
  /** null: an API key. */
  writeKey: KnownWriteKey | null
}

const everyType: ReadonlySet<WebEventType> = new Set(eventTypes)
const typesOfPurpose: Readonly<Record<string, readonly WebEventType[]>> = {
  track: ['track', 'page', 'screen'],
  identify: ['identify', 'group', 'alias'],
}
/** The budget of all API keys of an organization together. */
const ofApiKeys = { eventsPerSecond: 5_000, eventsPerDay: Number.MAX_SAFE_INTEGER }
const permission = 'tracking:write'

export type SenderParts = {
  apiKeys: CredentialCache<KnownKey>
  writeKeys: CredentialCache<KnownWriteKey>
  links: ClientLinks
  anonymous: AnonymousBudget
}

/** Finds the sender of a request by its key. */
export class Senders {
  readonly #parts: SenderParts

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /**
   * The sender with this key. Requests without a valid key count against the budget of their client address.
   * @param headers an agency key may name a client in them
   * @throws DomainError unauthenticated; forbidden for an API key without the permission; too_many; what `orgNamedBy`
   * throws
   */
  async find(key: string | null, ip: string, headers: IncomingHttpHeaders = {}): Promise<Sender> {
    if (key === null)
      return this.#refuse(
        ip,
        'write_key_missing',
        'The request has no key: send writeKey, or Authorization: Basic',
      )
    const writeKey = isKeyText(key) ? await this.#load(this.#parts.writeKeys, key, key, ip) : null
    if (writeKey && !isOver(writeKey)) return ofWriteKey(writeKey, ip)
    const { body, wellFormed } = readToken(key)
    const apiKey =
      wellFormed && !key.startsWith('wk_')
        ? await this.#load(this.#parts.apiKeys, hashToken(body), hashToken(body), ip)
        : null
    if (apiKey?.hasOrg && !isOver(apiKey))
      return ofApiKey(apiKey, await orgNamedBy(this.#parts.links, apiKey, headers))
    return this.#refuse(ip, 'write_key_unknown', 'The key is not valid: it is mistyped, deleted or expired')
  }

  /** Looks a key up, unless the address has tried too many unknown keys. */
  async #load<Known>(
    cache: CredentialCache<Known>,
    name: string,
    guess: string,
    ip: string,
  ): Promise<Known | null> {
    const known = cache.peek(name)
    if (known !== undefined) return known
    return cache.expects(name) || this.#parts.anonymous.mayGuess(ip, guess.slice(-1))
      ? cache.load(name)
      : null
  }

  async #refuse(ip: string, code: 'write_key_missing' | 'write_key_unknown', text: string): Promise<never> {
    const { retryAfterSeconds } = await this.#parts.anonymous.take(ip)
    if (retryAfterSeconds !== null)
      throw tooMany(
        'rate_limit_exceeded',
        `Too many requests without a valid key: wait ${retryAfterSeconds} s`,
        {
          retryAfterSeconds,
        },
      )
    throw unauthenticated(code, text)
  }
}

const isOver = ({ expiresAtMs }: { expiresAtMs: number | null }) =>
  expiresAtMs !== null && expiresAtMs <= Date.now()

function ofWriteKey(key: KnownWriteKey, ip: string): Sender {
  const { orgId, mainOrgId, payerId, mode, origins, writeKeyId: id, eventsPerSecond, eventsPerDay } = key
  const allowed = new Set(key.purposes.flatMap((purpose) => typesOfPurpose[purpose] ?? []))
  const limits = { id, budgetOwner: mainOrgId, eventsPerSecond, eventsPerDay }
  return {
    orgId,
    owner: `visitors of ${payerId}`,
    payerId,
    mode,
    keyId: id,
    isTrusted: false,
    origins,
    allowed,
    limits,
    address: networkOf(ip),
    writeKey: key,
  }
}

function ofApiKey({ mode, payer: { id: payerId }, permissions }: KnownKey, orgId: string): Sender {
  if (!allows(permissions, permission))
    throw forbidden(
      'permission_missing',
      `This API key lacks the permission ${permission}; use a key that has it`,
    )
  return {
    ...{ orgId, owner: payerId, payerId, mode, keyId: noWriteKey, isTrusted: true, origins: [] },
    ...{ allowed: everyType, limits: { id: payerId, budgetOwner: payerId, ...ofApiKeys } },
    ...{ address: null, writeKey: null },
  }
}
