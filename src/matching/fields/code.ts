import { osaDistance } from '../names/similarity.ts'
import { isOneEdit, letterOverlap } from './edits.ts'
import type { FieldType } from './field-type.ts'
import { fold, foldWithoutSpaces, nullIfEmpty } from './fold.ts'

/** A number or code that identifies a person or a company. */
export const identifier: FieldType = {
  levels: ['exact', 'near', 'similar', 'different'],
  group: 'identifier',
  strongTo: 0,
  vetoes: [3],
  sharedAt: [],
  normalize: (value) => nullIfEmpty(foldWithoutSpaces(value)),
  compare(a, b) {
    if (a === b) return 0
    const shorter = Math.min(a.length, b.length)
    if (shorter > 3 && isOneEdit(a, b)) return 1
    if (shorter < 6 || letterOverlap(a, b) * Math.max(a.length, b.length) < shorter - 2) return 3
    return osaDistance(a, b) === 2 ? 2 : 3
  },
  defaultM: [0.9, 0.06, 0.01, 0.03],
}

export const category: FieldType = {
  levels: ['exact', 'different'],
  group: null,
  strongTo: -1,
  vetoes: [],
  sharedAt: [0],
  normalize: (value) => nullIfEmpty(fold(value)),
  compare: (a, b) => (a === b ? 0 : 1),
  defaultM: [0.9, 0.1],
}

/** An id of the form `source:id`. Another id of the same source is evidence against a match. */
export const externalId: FieldType = {
  levels: ['exact', 'conflict', 'another source'],
  group: 'identifier',
  strongTo: 0,
  vetoes: [1],
  sharedAt: [],
  normalize: (value) => nullIfEmpty(value.trim()),
  compare(a, b) {
    if (a === b) return 0
    return a.slice(0, a.indexOf(':')) === b.slice(0, b.indexOf(':')) ? 1 : 2
  },
  defaultM: [0.9, 0.02, 0.08],
}
