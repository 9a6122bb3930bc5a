import { readCountry } from '../../normalize/country.ts'
import { jaroWinkler } from '../names/similarity.ts'
import { isOneEdit } from './edits.ts'
import type { FieldType } from './field-type.ts'
import { fold, foldWithoutSpaces, nullIfEmpty } from './fold.ts'

export const city: FieldType = {
  levels: ['exact', 'near', 'similar', 'different'],
  group: 'address',
  strongTo: 0,
  vetoes: [],
  sharedAt: [0],
  normalize: (value) => nullIfEmpty(fold(value)),
  compare(a, b) {
    if (a === b) return 0
    const similarity = isOneEdit(a, b) ? 1 : jaroWinkler(a, b)
    if (similarity >= 0.92) return 1
    return similarity >= 0.8 ? 2 : 3
  },
  defaultM: [0.78, 0.08, 0.04, 0.1],
}

export const postcode: FieldType = {
  levels: ['exact', 'near', 'same area', 'different'],
  group: 'address',
  strongTo: 0,
  vetoes: [],
  sharedAt: [0],
  normalize: (value) => nullIfEmpty(foldWithoutSpaces(value)),
  compare(a, b) {
    if (a === b) return 0
    if (isOneEdit(a, b)) return 1
    return a.slice(0, 2) === b.slice(0, 2) ? 2 : 3
  },
  defaultM: [0.8, 0.07, 0.05, 0.08],
}

/** A country by its ISO 3166-1 code. An unknown country is compared by its words. */
export const country: FieldType = {
  levels: ['exact', 'different'],
  group: null,
  strongTo: -1,
  vetoes: [],
  sharedAt: [0],
  normalize: (value) => readCountry(value)?.toLowerCase() ?? nullIfEmpty(fold(value)),
  compare: (a, b) => (a === b ? 0 : 1),
  defaultM: [0.93, 0.07],
}
