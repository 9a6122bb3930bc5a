import { jaroWinkler, osaDistance } from '../names/similarity.ts'
import type { FieldType } from './field-type.ts'
import { fold, orNull } from './fold.ts'

const normalise = (value: string): string | null => orNull(fold(value).replace(/\d+/g, '').trim())

function isInitial(a: string, b: string): boolean {
  return (a.length === 1 || b.length === 1) && a[0] === b[0]
}

/** `swapped` is decided for two names together: each is the other's. */
export const swapped = 5

export const firstName: FieldType = {
  levels: ['exact', 'nickname', 'near', 'initial', 'similar', 'swapped', 'different'],
  group: 'name',
  normalise,
  compare(a, b) {
    if (a === b) return 0
    if (isInitial(a, b)) return 3
    const similarity = jaroWinkler(a, b)
    if (similarity >= 0.92 || osaDistance(a, b) === 1) return 2
    return similarity >= 0.8 ? 4 : 6
  },
  usesTerms: true,
  usualM: [0.7, 0.06, 0.09, 0.03, 0.04, 0.03, 0.05],
}

export const lastName: FieldType = {
  levels: ['exact', 'near', 'similar', 'different'],
  group: 'name',
  normalise,
  compare(a, b) {
    if (a === b) return 0
    const similarity = jaroWinkler(a, b)
    if (similarity >= 0.92 || osaDistance(a, b) === 1) return 1
    return similarity >= 0.8 ? 2 : 3
  },
  usesTerms: true,
  usualM: [0.82, 0.1, 0.03, 0.05],
}
