import { itemAt } from '../element-at.ts'
import { isOneEdit } from './edits.ts'
import type { FieldType } from './field-type.ts'

const yearFirst = /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})/
const yearLast = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})/

/** Writes a date as `yyyymmdd`, and any other text as its digits. In an ambiguous date, the day comes first. */
function normalize(value: string): string | null {
  const first = yearFirst.exec(value)
  if (first) return ymd(itemAt(first, 1), itemAt(first, 2), itemAt(first, 3))
  const last = yearLast.exec(value)
  if (last)
    return Number(last[2]) > 12
      ? ymd(itemAt(last, 3), itemAt(last, 1), itemAt(last, 2))
      : ymd(itemAt(last, 3), itemAt(last, 2), itemAt(last, 1))
  const digits = value.replace(/\D/g, '')
  return digits === '' ? null : digits.slice(0, 14)
}

const ymd = (year: string, month: string, day: string) => year + month.padStart(2, '0') + day.padStart(2, '0')

function countEqualParts(a: string, b: string): number {
  const year = a.slice(0, 4) === b.slice(0, 4) ? 1 : 0
  const month = a.slice(4, 6) === b.slice(4, 6) ? 1 : 0
  const day = a.slice(6, 8) === b.slice(6, 8) ? 1 : 0
  return year + month + day
}

/** `near`: one wrong digit, two swapped digits, or day and month swapped. */
export const date: FieldType = {
  levels: ['exact', 'near', 'two parts', 'same year', 'different'],
  group: 'birth',
  strongTo: 0,
  vetoes: [3, 4],
  sharedAt: [],
  normalize,
  compare(a, b) {
    if (a === b) return 0
    if (isOneEdit(a, b) || dayAndMonthSwapped(a, b)) return 1
    if (a.length < 8 || b.length < 8) return 4
    if (countEqualParts(a, b) === 2) return 2
    return a.slice(0, 4) === b.slice(0, 4) ? 3 : 4
  },
  defaultM: [0.88, 0.06, 0.03, 0.01, 0.02],
}

function dayAndMonthSwapped(a: string, b: string): boolean {
  return a.length === 8 && a.slice(0, 4) + a.slice(6) + a.slice(4, 6) === b
}
