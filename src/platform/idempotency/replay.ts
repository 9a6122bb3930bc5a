import { validate as isUuid } from 'uuid'
import type { Org } from '../db/org.ts'
import type { DomainError, ErrorKind } from '../domain-error.ts'
import { Refusal } from '../http/refusal.ts'
import type { WireAnswer } from '../http/response.ts'
import { detailAt, ValidationError } from '../http/validation.ts'
import type { Kept, ToKeep } from './kept-answers.ts'
import { KeyRefusal } from './key-refusal.ts'
import type { Seal } from './seal.ts'

/** A request with an Idempotency-Key. */
export type Claim = {
  org: Org
  /** What the key stands for, and what is asked: see fingerprint.ts. */
  scope: Buffer
  fingerprint: Buffer
  keptDays: number
  /** Why whoever asks may not have what was kept; null: it may. */
  refuses(shown: Record<string, unknown>): DomainError | null
  /** Where the answer holds a secret: its member that says whose, and what seals it. */
  secret: { member: string; seal: Seal } | null
}

/** A handler's own refusals of these kinds are its answer, also to a retry; all others leave the key free. */
export const keptRefusals: ReadonlySet<ErrorKind> = new Set(['not_found', 'conflict'])

/** What is kept of an answer. */
export function toKeep({ status, headers, body }: WireAnswer, claim: Claim): ToKeep {
  const { fingerprint, keptDays: days, secret } = claim
  const shown = shownIn(body)
  const objectIds = [...new Set(idsIn(shown))]
  const kept = { fingerprint, status, headers, days, objectIds }
  if (body === null) return { ...kept, body, secret_of: null }
  if (secret === null || status >= 400) return { ...kept, body: Buffer.from(body), secret_of: null }
  return { ...kept, body: secret.seal.close(body), secret_of: String(shown[secret.member]) }
}

/** The kept answer, as it was given. @throws KeyRefusal, ValidationError, DomainError if it may not be given now */
export function replayed(kept: Kept, { fingerprint, secret, refuses }: Claim): WireAnswer {
  if (kept.erased) {
    throw new KeyRefusal(
      'The request with this Idempotency-Key took effect, and its answer was erased since. For another request, use another key',
    )
  }
  if (!fingerprint.equals(kept.fingerprint)) throw new ValidationError([keyReused])
  const headers = { ...kept.headers, 'idempotent-replayed': 'true' }
  const body = bodyOf(kept, secret)
  const refusal = kept.status < 400 ? refuses(shownIn(body)) : null
  if (refusal) throw refusal
  return { status: kept.status, headers, body }
}

const keyReused = detailAt(
  ['header', 'idempotency-key'],
  new Refusal(
    'idempotency_key_reused',
    'This Idempotency-Key stands for another request: the body or the query differs. Use a new key for each request, and the same one to retry it',
  ),
)

function bodyOf({ body, secret_of: secretOf }: Kept, secret: Claim['secret']): string | null {
  if (body === null) return null
  if (secretOf === null) return body.toString()
  const opened = secret?.seal.open(body)
  if (opened) return opened
  throw new KeyRefusal(
    `The request with this Idempotency-Key made ${secretOf}, whose secret was shown to its maker only: retry with the API key that made it, or delete it and make another`,
  )
}

/** The object that an answer shows: its `data`, or all of it where it has no envelope; empty if that is no object. */
function shownIn(body: WireAnswer['body']): Record<string, unknown> {
  const answer: unknown = body === null ? null : JSON.parse(body)
  const shown = isObject(answer) && 'data' in answer ? answer.data : answer
  return isObject(shown) ? shown : {}
}

/** The ids of an object and of those within it. Custom data is nobody's id, but no harm is in taking it for one. */
function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return isUuid(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(idsIn) : []
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
