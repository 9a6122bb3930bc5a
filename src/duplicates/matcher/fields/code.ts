import { osaDistance } from '../names/similarity.ts'
import type { FieldType } from './field-type.ts'
import { fold, foldClosely, orNull } from './fold.ts'

/** A number or code that names the person or thing itself. */
export const identifier: FieldType = {
  levels: ['exact', 'near', 'similar', 'different'],
  group: 'identifier',
  strongTo: 0,
  vetoes: [3],
  normalise: (value) => orNull(foldClosely(value)),
  compare(a, b) {
    if (a === b) return 0
    const distance = osaDistance(a, b)
    if (distance === 1 && Math.min(a.length, b.length) > 3) return 1
    return distance === 2 && Math.min(a.length, b.length) > 5 ? 2 : 3
  },
  usualM: [0.9, 0.06, 0.01, 0.03],
}

export const postcode: FieldType = {
  levels: ['exact', 'near', 'same area', 'different'],
  group: 'address',
  strongTo: 0,
  vetoes: [],
  normalise: (value) => orNull(foldClosely(value)),
  compare(a, b) {
    if (a === b) return 0
    if (osaDistance(a, b) === 1) return 1
    return a.slice(0, 2) === b.slice(0, 2) ? 2 : 3
  },
  usualM: [0.8, 0.07, 0.05, 0.08],
}

export const category: FieldType = {
  levels: ['exact', 'different'],
  group: null,
  strongTo: -1,
  vetoes: [],
  normalise: (value) => orNull(fold(value)),
  compare: (a, b) => (a === b ? 0 : 1),
  usualM: [0.9, 0.1],
}
