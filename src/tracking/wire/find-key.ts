/** The parts of a request that may contain its key. Header names are in lower case. */
export type KeyPlaces = {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** `writeKey` of the query. */
  query: string | null
}

/**
 * The key of a request, from the first of these places that has one: `X-Write-Key`, Basic, Bearer, the query. null:
 * only the body may have the key (`keyInBody`).
 */
export function keyInRequest({ headers, query }: KeyPlaces): string | null {
  return bare(headers['x-write-key']) ?? keyInAuthorization(headers.authorization) ?? bare(query)
}

/** `writeKey` of a body; null: the body has none. */
export function keyInBody(body: unknown): string | null {
  const isObject = typeof body === 'object' && body !== null && Object.hasOwn(body, 'writeKey')
  return isObject ? bare((body as { writeKey: unknown }).writeKey) : null
}

function keyInAuthorization(header: unknown): string | null {
  if (typeof header !== 'string') return null
  const [, scheme = '', value = ''] = /^ *(basic|bearer) +([^ ]+) *$/i.exec(header) ?? []
  if (value === '') return null
  return bare(scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString() : value)
}

/** Returns the part before a colon: Jitsu sends `id:secret`, and Basic `key:`. */
function bare(value: unknown): string | null {
  const key = typeof value === 'string' ? value.replace(/:.*$/s, '').trim() : ''
  return key === '' ? null : key
}
