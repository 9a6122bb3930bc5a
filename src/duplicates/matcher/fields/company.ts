import { readCountry } from '../../../normalise/country.ts'
import { readCompanyName } from '../names/company.ts'
import { compareCompanyNames } from '../names/compare-companies.ts'
import type { FieldType } from './field-type.ts'
import { fold, orNull } from './fold.ts'
import { remembered } from './remembered.ts'

const levels = ['exact', 'equivalent', 'close', 'compatible', 'partial', 'distinct'] as const

const read = remembered(readCompanyName)

export const companyName: FieldType = {
  levels,
  group: 'company',
  strongTo: 2,
  vetoes: [],
  sharedAt: [0, 1, 2],
  /** Its words, then `group` and the like, then the legal form in one spelling: what reading it again needs. */
  normalise: remembered((value) => {
    const { text, additions, form } = readCompanyName(value)
    return orNull([text, additions, form?.name ?? ''].filter((part) => part !== '').join(' '))
  }),
  compare(a, b) {
    if (a === b) return 0
    const compared = compareCompanyNames(read(a), read(b))
    return compared === undefined ? levels.length - 1 : levels.indexOf(compared.level)
  },
  usualM: [0.6, 0.15, 0.07, 0.06, 0.04, 0.08],
}

/** The ISO 3166-1 code where it is one, or else its words. */
export const country: FieldType = {
  levels: ['exact', 'different'],
  group: null,
  strongTo: -1,
  vetoes: [],
  sharedAt: [0],
  normalise: (value) => readCountry(value)?.toLowerCase() ?? orNull(fold(value)),
  compare: (a, b) => (a === b ? 0 : 1),
  usualM: [0.93, 0.07],
}

/** Digits with at most one point; thousands separators are left out. */
function normaliseAmount(value: string): string | null {
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
  normalise: normaliseAmount,
  compare(a, b) {
    if (a === b) return 0
    const [left, right] = [Math.abs(Number(a)), Math.abs(Number(b))]
    const ratio = Math.min(left, right) / Math.max(left, right)
    if (ratio >= 0.98) return 1
    return ratio >= 0.85 ? 2 : 3
  },
  usualM: [0.7, 0.08, 0.07, 0.15],
}

/** `source:id`. Another id of the same source speaks against. */
export const externalId: FieldType = {
  levels: ['exact', 'conflict', 'another source'],
  group: 'identifier',
  strongTo: 0,
  vetoes: [1],
  sharedAt: [],
  normalise: (value) => orNull(value.trim()),
  compare(a, b) {
    if (a === b) return 0
    return a.slice(0, a.indexOf(':')) === b.slice(0, b.indexOf(':')) ? 1 : 2
  },
  usualM: [0.9, 0.02, 0.08],
}
