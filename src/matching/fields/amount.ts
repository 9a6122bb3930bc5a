import type { FieldType } from './field-type.ts'

/** Writes an amount as digits and at most one point, and then its currency, if it has an ISO 4217 code. */
function normalizeAmount(value: string): string | null {
  const found = value.replaceAll(/[\s']/g, '').match(/-?\d[\d.,]*/)
  if (!found) return null
  const decimal = /[.,]\d{1,2}$/.exec(found[0])
  const whole = found[0].slice(0, decimal?.index ?? found[0].length).replaceAll(/[.,]/g, '')
  const number = Number(`${whole}.${decimal?.[0].slice(1) ?? '0'}`)
  if (!Number.isFinite(number)) return null
  const [currency] = /(?<![\p{L}\p{M}])[A-Z]{3}(?![\p{L}\p{M}])/u.exec(value) ?? []
  return currency ? `${number} ${currency}` : String(number)
}

/** The number and the currency of a normalized amount. */
function read(amount: string): { size: number; currency: string | undefined } {
  const [number, currency] = amount.split(' ')
  return { size: Math.abs(Number(number)), currency }
}

export const amount: FieldType = {
  levels: ['exact', 'near', 'similar', 'different'],
  group: null,
  strongTo: 0,
  vetoes: [],
  sharedAt: [],
  normalize: normalizeAmount,
  compare(a, b) {
    const [left, right] = [read(a), read(b)]
    if (left.currency && right.currency && left.currency !== right.currency) return 3
    if (left.size === right.size) return 0
    const ratio = Math.min(left.size, right.size) / Math.max(left.size, right.size)
    if (ratio >= 0.98) return 1
    return ratio >= 0.85 ? 2 : 3
  },
  defaultM: [0.7, 0.08, 0.07, 0.15],
}
