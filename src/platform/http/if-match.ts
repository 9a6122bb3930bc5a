import { conflict } from '../domain-error.ts'
import { Answer } from './endpoint.ts'
import { parsedText, refuse } from './fields.ts'

/** The version in an `If-Match` header; undefined without the header, or for `*`. */
export const ifMatch = parsedText<number | undefined>(
  (value) => {
    if (value.trim() === '*') return undefined
    // A weak tag is treated like a strong tag: both identify the same version (RFC 9110, section 8.8.3).
    const [, version] = /^\s*(?:W\/)?"?(\d{1,10})"?\s*$/.exec(value) ?? []
    if (version !== undefined) return Number(version)
    return refuse('If-Match must be the version that you read last, in quotes, such as "3"')
  },
  // The schema has no example: the reference would put it into its test requests, which the server would refuse.
  { pattern: '^"\\d+"$', description: 'The version that you read last, in quotes, such as "3".' },
).optional()

/** The `If-Match` header of a request that compares no version. Ignoring it would make a guarded change unguarded. */
export const noIfMatch = parsedText<undefined>(
  (value) =>
    value.trim() === '*'
      ? undefined
      : refuse('this request does not compare versions; send it without If-Match'),
  {},
).optional()

/** An answer with the version of its object as ETag, which a client sends in If-Match. */
export const withETag = <Shown extends { version: number }>(shown: Shown): Answer<Shown> =>
  new Answer(shown, { headers: { etag: `"${shown.version}"` } })

/**
 * Refuses a change if the client expects another version than the current one.
 * @param what the object in the error text: `this persona`; with `isPlural`, for example `the voice settings`
 * @param version the expected version, if any; `named` starts the error text (`If-Match names`)
 * @throws DomainError conflict
 */
export function requireVersion(
  what: string,
  version: number | undefined,
  current: number,
  { named = 'If-Match names', isPlural = false } = {},
): void {
  if (version === undefined || version === current) return
  const [are, them, they] = isPlural ? ['are', 'them', 'they are'] : ['is', 'it', 'it is']
  throw conflict(
    'version_conflict',
    `${named} version ${version}, but ${what} ${are} at version ${current}: read ${them} again and repeat the request on what ${they} now`,
  )
}
