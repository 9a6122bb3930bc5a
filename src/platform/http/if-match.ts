import { conflict } from '../domain-error.ts'
import { formatted, refuse } from './fields.ts'

/** The version in an `If-Match` header; undefined without the header, or for `*`. */
export const ifMatch = formatted<number | undefined>(
  (value) => {
    if (value.trim() === '*') return undefined
    // A weak tag is accepted like a strong tag, because both identify the same version (RFC 9110, section 8.8.3).
    const [, version] = /^\s*(?:W\/)?"?(\d{1,10})"?\s*$/.exec(value) ?? []
    if (version !== undefined) return Number(version)
    return refuse('If-Match must be the version that you read last, in quotes, such as "3"')
  },
  // Readers of the reference would send an example, and be refused, so the schema has none.
  { pattern: '^"\\d+"$', description: 'The version that you read last, in quotes, such as "3".' },
).optional()

/**
 * Refuses a change if the client expects another version than the current one.
 * @param what the versioned object, for the error text: `this persona`; set `isPlural` for `the
 * voice settings`
 * @param version the version that the request expects, if any; `named` is the start of the error
 * text (`If-Match names`)
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
