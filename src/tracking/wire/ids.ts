import { createHmac, hash, randomUUID } from 'node:crypto'

/** The maximum number of characters of an id. A longer id is cut. */
const idMax = 400

/** An id that a client sent as text or as a number; null if there is none. */
export function readId(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value
  if (typeof text !== 'string') return null
  const id = storableText(text).trim().slice(0, idMax)
  return id === '' ? null : storableText(id)
}

/** Text that PostgreSQL stores: without NUL, and without halves of surrogate pairs. */
export function storableText(text: string): string {
  return text.includes('\0') || !text.isWellFormed() ? text.replaceAll('\0', '').toWellFormed() : text
}

/**
 * A UUID (version 8, RFC 9562) of the SHA-256 of a `messageId`. Without one, the key is random, and a retry is a second
 * event. Events of write keys and of API keys have different keys. Otherwise anyone could use the `messageId` of a
 * trusted event first, and the trusted event would count as a duplicate.
 */
export function messageKeyOf(messageId: unknown, isTrusted: boolean): string {
  const isId = (typeof messageId === 'string' && messageId !== '') || typeof messageId === 'number'
  return isId
    ? asUuidOfVersion8(hash('sha256', `${isTrusted ? 'api' : 'write'} ${messageId}`, 'hex'))
    : randomUUID()
}

/** The visitor of an anonymous id: a UUID (version 8, RFC 9562) that is derived from the organization and the id. */
export function visitorIdOf(orgId: string, anonymousId: string): string {
  return asUuidOfVersion8(hash('sha256', `${orgId} ${anonymousId}`, 'hex'))
}

/**
 * Returns the visitor of a browser without an id, on one day. The id is derived from the secret of the day. The secret
 * is deleted after that day. Until then, only somebody who knows it can find the client address from the id.
 */
export function dailyVisitorIdOf(salt: Buffer, orgId: string, address: string, userAgent: string): string {
  const browser = JSON.stringify([orgId, address, userAgent])
  return asUuidOfVersion8(createHmac('sha256', salt).update(browser).digest('hex'))
}

function asUuidOfVersion8(hex: string): string {
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
