declare global {
  // The TypeScript library does not describe these yet (ECMA-262, "JSON.parse source text access").
  interface JSON {
    rawJSON(text: string): object
    isRawJSON(value: unknown): value is { rawJSON: string }
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
  }
}

/** Literals longer than this, or with a larger power of ten, are rounded: PostgreSQL's numeric ends at 16,383 decimals. */
const MAX_EXACT = 1000

/**
 * The number itself, or `JSON.rawJSON(source)` where a double would lose digits of it, so that
 * `JSON.stringify` writes `12345678901234567890` and `0.12345678901234567890` back as they came.
 */
export function exactNumber(value: number, source: string): number | object {
  if (source.length > MAX_EXACT) return rounded(value)
  const { digits, power } = decimal(source)
  const kept = decimal(String(value))
  if (digits === kept.digits && (power === kept.power || digits === '')) return value
  return Math.abs(power) > MAX_EXACT ? rounded(value) : JSON.rawJSON(source)
}

/** The same in JSON, and known for rounded to whoever must not take it for what was written. */
const rounded = (value: number): object => JSON.rawJSON(String(value))

/** An exact number as the nearest double (±Infinity beyond its range); anything else unchanged. */
export function plainNumber(value: unknown): unknown {
  return JSON.isRawJSON(value) ? Number(value.rawJSON) : value
}

/** The significant digits and the power of ten of 0.DIGITS; a zero has no digits. The sign never changes. */
function decimal(literal: string): { digits: string; power: number } {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const all = whole + fraction
  let first = 0
  while (all[first] === '0') first++
  let end = all.length
  while (end > first && all[end - 1] === '0') end--
  return { digits: all.slice(first, end), power: whole.length - first + Number(exponent) }
}
