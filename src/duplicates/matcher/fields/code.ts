import { osaDistance } from '../names/similarity.ts'
import { isOneEdit, letterOverlap } from './edits.ts'
import type { FieldType } from './field-type.ts'
import { fold, foldClosely, orNull } from './fold.ts'

/** A number or code that names the person or thing itself. */
export const identifier: FieldType = {
  levels: ['exact', 'near', 'similar', 'different'],
  group: 'identifier',
  strongTo: 0,
  vetoes: [3],
  sharedAt: [],
  normalise: (value) => orNull(foldClosely(value)),
  compare(a, b) {
    if (a === b) return 0
    const shorter = Math.min(a.length, b.length)
    if (shorter > 3 && isOneEdit(a, b)) return 1
    if (shorter < 6 || letterOverlap(a, b) * Math.max(a.length, b.length) < shorter - 2) return 3
    return osaDistance(a, b) === 2 ? 2 : 3
  },
  usualM: [0.9, 0.06, 0.01, 0.03],
}

export const postcode: FieldType = {
  levels: ['exact', 'near', 'same area', 'different'],
  group: 'address',
  strongTo: 0,
  vetoes: [],
  sharedAt: [0],
  normalise: (value) => orNull(foldClosely(value)),
  compare(a, b) {
    if (a === b) return 0
    if (isOneEdit(a, b)) return 1
    return a.slice(0, 2) === b.slice(0, 2) ? 2 : 3
  },
  usualM: [0.8, 0.07, 0.05, 0.08],
}

export const category: FieldType = {
  levels: ['exact', 'different'],
  group: null,
  strongTo: -1,
  vetoes: [],
  sharedAt: [0],
  normalise: (value) => orNull(fold(value)),
  compare: (a, b) => (a === b ? 0 : 1),
  usualM: [0.9, 0.1],
}
