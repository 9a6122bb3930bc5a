import { readCompanyName } from '../names/company.ts'
import { compareCompanyNames } from '../names/compare-companies.ts'
import type { FieldType } from './field-type.ts'
import { orNull } from './fold.ts'
import { remembered } from './remembered.ts'

const levels = ['exact', 'equivalent', 'close', 'compatible', 'partial', 'distinct'] as const

const read = remembered(readCompanyName)

export const companyName: FieldType = {
  levels,
  group: 'company',
  strongTo: 2,
  vetoes: [],
  sharedAt: [0, 1, 2],
  /**
   * Its words, then additions such as `group`, then the legal form in one spelling: a form that can be read again.
   */
  normalize: remembered((value) => {
    const { text, additions, form } = readCompanyName(value)
    return orNull([text, additions, form?.name ?? ''].filter((part) => part !== '').join(' '))
  }),
  compare(a, b) {
    if (a === b) return 0
    const compared = compareCompanyNames(read(a), read(b))
    return compared === undefined ? levels.length - 1 : levels.indexOf(compared.level)
  },
  defaultM: [0.6, 0.15, 0.07, 0.06, 0.04, 0.08],
}
