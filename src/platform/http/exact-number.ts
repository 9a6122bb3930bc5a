declare global {
  // The TypeScript library does not declare these members yet (ECMA-262, "JSON.parse source text access").
  interface JSON {
    rawJSON(text: string): object
    isRawJSON(value: unknown): value is { rawJSON: string }
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
  }
}

/**
 * Literals that are longer, or have a larger power of ten, are rounded. PostgreSQL's numeric has at most 16,383
 * decimals.
 */
const exactMax = 1000

/**
 * Returns the number, or `JSON.rawJSON(source)` if a double would lose digits: `JSON.stringify`
 * then writes `12345678901234567890` unchanged.
 */
export function exactNumber(value: number, source: string): number | object {
  if (source.length > exactMax) return rounded(value)
  const { digits, power } = decimal(source)
  const kept = decimal(String(value))
  if (digits === kept.digits && (power === kept.power || digits === '')) return value
  return Math.abs(power) > exactMax ? rounded(value) : JSON.rawJSON(source)
}

/** Marks a rounded number: code that needs exact numbers can distinguish `JSON.rawJSON` from a plain number. */
const rounded = (value: number): object => JSON.rawJSON(String(value))

/** Converts an exact number to the nearest double (±Infinity beyond its range). Returns any other value unchanged. */
export function plainNumber(value: unknown): unknown {
  return JSON.isRawJSON(value) ? Number(value.rawJSON) : value
}

/**
 * Reads a literal as 0.DIGITS times a power of ten. Returns the significant digits and the power, without the sign.
 * Zero has no digits.
 */
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
