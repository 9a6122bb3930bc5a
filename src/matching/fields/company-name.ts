import { readCompanyName } from '../names/company.ts'
import { compareCompanyNames } from '../names/compare-companies.ts'
import { cached } from './cached.ts'
import type { FieldType } from './field-type.ts'
import { nullIfEmpty } from './fold.ts'

const companyNameLevels = ['exact', 'equivalent', 'close', 'compatible', 'partial', 'distinct'] as const

const readName = cached(readCompanyName)

export const companyName: FieldType = {
  levels: companyNameLevels,
  group: 'company',
  strongTo: 2,
  vetoes: [],
  sharedAt: [0, 1, 2],
  /**
   * Writes the words, then additions such as `group`, then the legal form in one spelling. A normalized name stays
   * the same.
   */
  normalize: cached((value) => {
    const { text, additions, form } = readCompanyName(value)
    return nullIfEmpty([text, additions, form?.name ?? ''].filter((part) => part !== '').join(' '))
  }),
  compare(a, b) {
    if (a === b) return 0
    const compared = compareCompanyNames(readName(a), readName(b))
    return compared === undefined ? companyNameLevels.length - 1 : companyNameLevels.indexOf(compared.level)
  },
  defaultM: [0.6, 0.15, 0.07, 0.06, 0.04, 0.08],
}
