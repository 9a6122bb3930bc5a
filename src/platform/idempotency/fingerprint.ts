import { createHash, hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Caller } from '../caller.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { inSlices } from '../slices.ts'
import { canonicalPieces } from './canonical-json.ts'

/**
 * The SHA-256 of a key and its endpoint. Callers of an organization share keys, but a member whose record access is
 * limited has keys of their own: the answer of somebody else may show records that the member does not see.
 */
export function scopeOf(
  { orgId, mode, memberId, recordAccess }: Caller,
  endpoint: Endpoint,
  params: unknown,
  key: string,
): Buffer {
  const { method, path } = endpoint
  const limit = recordAccess === undefined ? [] : [memberId, recordAccess]
  return hash('sha256', JSON.stringify([orgId, mode, method, path, params, key, ...limit]), 'buffer')
}

/** Returns the SHA-256 of query and body. The order of query parameters with different names does not change it. */
export function fingerprintOf(query: URLSearchParams, bodyDigest: Buffer): Buffer {
  const sorted = new URLSearchParams(query)
  sorted.sort()
  return createHash('sha256').update(bodyDigest).update(sorted.toString()).digest()
}

/** SHA-256 of a parsed body, computed in slices. @param owner Caller.payerId */
export function jsonDigest(owner: string, body: unknown): Promise<Buffer> {
  return inSlices(owner, hashing(body))
}

function* hashing(body: unknown): Generator<undefined, Buffer> {
  const hash = createHash('sha256')
  for (const piece of canonicalPieces(body)) {
    hash.update(piece)
    yield
  }
  return hash.digest()
}

/** Returns a stream with the same bytes. After it has ended, `digest` gives their SHA-256. */
export function withDigest(stream: Readable): { stream: Readable; digest(): Buffer } {
  const hashing = createHash('sha256')
  async function* passing() {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hashing.update(chunk)
      yield chunk
    }
  }
  return { stream: Readable.from(passing()), digest: () => hashing.digest() }
}
