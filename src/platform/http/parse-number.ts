import {
  fractionalInteger,
  notANumber,
  notAnInteger,
  notFinite,
  oversizedInteger,
  Refusal,
  unreadableInteger,
  unreadableNumber,
} from './refusal.ts'

/** The limit of pydantic-core (jiter) for an integer in a string. */
const digitsMax = 4300

/**
 * Reads an integer with the rules of Pydantic's lax mode: 3, 3.0, true, "3", " +3 ", "1_000" and "3.0", but not
 * "3e0". The result is exact up to 2^53.
 */
export function parseInteger(value: unknown): number | Refusal {
  if (typeof value === 'number') {
    if (Number.isInteger(value)) return value + 0
    return Number.isFinite(value) ? fractionalInteger : notFinite
  }
  if (typeof value === 'string') return integerFromText(value)
  return typeof value === 'boolean' ? Number(value) : notAnInteger
}

function integerFromText(text: string): number | Refusal {
  const match = /^([+-]?)(\d+(?:_\d+)*)(?:\.0+)?$/.exec(text.trim())
  if (!match) return unreadableInteger
  const [, sign, written = ''] = match
  const digits = written.replaceAll('_', '').replace(/^0+/, '')
  if (digits.length > digitsMax) return oversizedInteger
  return (sign === '-' ? -1 : 1) * Number(digits) + 0
}

/**
 * Reads a finite double with the rules of Pydantic's lax mode: 1.5, 1, true, " 1.5 ", "1_0.5e3", ".5" and "5.".
 * Refuses NaN and infinity.
 */
export function parseNumber(value: unknown): number | Refusal {
  const number =
    typeof value === 'string' ? numberFromText(value) : typeof value === 'boolean' ? Number(value) : value
  if (number instanceof Refusal) return number
  if (typeof number !== 'number') return notANumber
  return Number.isFinite(number) ? number : notFinite
}

function numberFromText(text: string): number | Refusal {
  if (/^_|_$|__/.test(text)) return unreadableNumber
  const written = text.includes('_') ? text.replaceAll('_', '') : text.trim()
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(written)) return Number(written)
  return /^[+-]?(?:inf|infinity|nan)$/i.test(written) ? Number.NaN : unreadableNumber
}
