import { validate as isUuid } from 'uuid'
import type { Org } from '../db/org.ts'
import type { DomainError } from '../domain-error.ts'
import type { RefusalKind } from '../error-codes/catalog.ts'
import { Refusal } from '../http/refusal.ts'
import type { SerializedAnswer } from '../http/response.ts'
import { detailAt, ValidationError } from '../http/validation.ts'
import { Json } from '../json.ts'
import { isObject } from '../members.ts'
import { KeyRefusal } from './key-refusal.ts'
import type { AnswerSeal } from './seal.ts'
import type { AnswerToStore, StoredAnswer } from './stored-answers.ts'

export type KeyClaim = {
  org: Org
  /** The SHA-256 of the key and its endpoint. `fingerprint` identifies the request (fingerprint.ts). */
  scope: Buffer
  fingerprint: Buffer
  storedDays: number
  /**
   * Returns why the caller may not get the stored answer; null if the caller may. null in place of the function:
   * every caller may.
   */
  refuses: ((shown: Record<string, unknown>) => DomainError | null) | null
  /** For an answer with a secret: the member with the id of the object that has the secret, and the seal. */
  secret: { member: string; seal: AnswerSeal } | null
}

const storedKinds: ReadonlySet<RefusalKind> = new Set(['not_found', 'conflict'])

/**
 * Whether a refusal is stored as the answer of its key. A refusal with a time for a retry is not: the same key must
 * work at that time. A refusal that is not stored frees the key.
 */
export const isStored = ({ kind, retryAfterSeconds }: DomainError): boolean =>
  storedKinds.has(kind) && retryAfterSeconds === undefined

/** Returns the parts of an answer that get stored. */
export function answerToStore(
  { status, headers, body, about }: SerializedAnswer,
  claim: KeyClaim,
): AnswerToStore {
  const { fingerprint, storedDays: days, secret } = claim
  // With `about`, the body may be large, and parsing it would block the thread.
  const shown = about ? {} : shownIn(body)
  const objectIds = [...new Set(about ?? uuidsIn(shown))]
  const stored = { fingerprint, status, headers, days, objectIds }
  if (body === null) return { ...stored, body, secret_of: null }
  if (secret === null || status >= 400) return { ...stored, body: Buffer.from(body.text), secret_of: null }
  return { ...stored, body: secret.seal.close(body.text), secret_of: String(shown[secret.member]) }
}

/** Returns the stored answer unchanged. @throws KeyRefusal, ValidationError; DomainError if the caller may not get it now */
export function replayed(stored: StoredAnswer, { fingerprint, secret, refuses }: KeyClaim): SerializedAnswer {
  if (stored.erased) {
    throw new KeyRefusal(
      'idempotency_answer_erased',
      'The request with this Idempotency-Key took effect, and its answer has been erased since. For another request, use another key',
    )
  }
  if (!fingerprint.equals(stored.fingerprint))
    throw new ValidationError([keyReused], 'idempotency_key_reused')
  const headers = { ...stored.headers, 'idempotent-replayed': 'true' }
  const body = bodyOf(stored, secret)
  const refusal = refuses && stored.status < 400 ? refuses(shownIn(body)) : null
  if (refusal) throw refusal
  return { status: stored.status, headers, body }
}

const keyReused = detailAt(
  ['header', 'idempotency-key'],
  new Refusal(
    'idempotency_key_reused',
    'This Idempotency-Key belongs to another request: the body or the query differs. Use a new key for each request, and an earlier key only to retry that request',
  ),
)

function bodyOf({ body, secret_of: secretOf }: StoredAnswer, secret: KeyClaim['secret']): Json | null {
  if (body === null) return null
  if (secretOf === null) return new Json(body.toString())
  const opened = secret?.seal.open(body)
  if (opened) return new Json(opened)
  throw new KeyRefusal(
    'idempotency_answer_sealed',
    `The request with this Idempotency-Key created ${secretOf}, whose secret is shown only to the API key that sent the request: retry with that API key, or delete it and create another`,
  )
}

/** Returns the object in an answer: its `data`, or the body if there is no envelope; `{}` if that is not an object. */
function shownIn(body: SerializedAnswer['body']): Record<string, unknown> {
  const answer: unknown = body === null ? null : JSON.parse(body.text)
  const shown = isObject(answer) && 'data' in answer ? answer.data : answer
  return isObject(shown) ? shown : {}
}

/** All UUIDs in an object, at any depth. Additional UUIDs from custom data do no harm. */
function uuidsIn(value: unknown): string[] {
  if (typeof value === 'string') return isUuid(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(uuidsIn) : []
}
