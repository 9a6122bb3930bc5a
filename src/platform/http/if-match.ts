import { formatted, refuse } from './fields.ts'

/** Headers of a change that may be bound to a version: its `If-Match` as a number, undefined for none or `*`. */
export const ifMatch = formatted<number | undefined>(
  (value) => {
    if (value.trim() === '*') return undefined
    // A weak tag compares as a strong one here: both name the one version (RFC 9110, section 8.8.3).
    const [, version] = /^\s*(?:W\/)?"?(\d{1,10})"?\s*$/.exec(value) ?? []
    if (version !== undefined) return Number(version)
    return refuse('If-Match takes the version that was read last, in quotes: "3"')
  },
  { pattern: '^"\\d+"$', examples: ['"3"'] },
).optional()
