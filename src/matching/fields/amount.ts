import type { FieldType } from './field-type.ts'

/** Writes an amount as digits and at most one point. */
function normalizeAmount(value: string): string | null {
  const found = value.replaceAll(/[\s']/g, '').match(/-?\d[\d.,]*/)
  if (!found) return null
  const decimal = /[.,]\d{1,2}$/.exec(found[0])
  const whole = found[0].slice(0, decimal?.index ?? found[0].length).replaceAll(/[.,]/g, '')
  const number = Number(`${whole}.${decimal?.[0].slice(1) ?? '0'}`)
  return Number.isFinite(number) ? String(number) : null
}

export const amount: FieldType = {
  levels: ['exact', 'near', 'similar', 'different'],
  group: null,
  strongTo: 0,
  vetoes: [],
  sharedAt: [],
  normalize: normalizeAmount,
  compare(a, b) {
    if (a === b) return 0
    const [left, right] = [Math.abs(Number(a)), Math.abs(Number(b))]
    const ratio = Math.min(left, right) / Math.max(left, right)
    if (ratio >= 0.98) return 1
    return ratio >= 0.85 ? 2 : 3
  },
  defaultM: [0.7, 0.08, 0.07, 0.15],
}
