import { numberAt } from '../element-at.ts'
import { readPersonName } from '../names/person.ts'
import { jaroWinkler } from '../names/similarity.ts'
import { sameInitial, sameName, tokenOf, tokenSimilarity } from '../names/token.ts'
import { cached } from './cached.ts'
import { isOneEdit } from './edits.ts'
import type { FieldType } from './field-type.ts'
import { fold, nullIfEmpty } from './fold.ts'

const plainName = /^[a-zA-Z]+$/
const nearSimilarityMin = 0.92
const similarNameMin = 0.8

/** Writes a name as lower-case ASCII words, without titles, degrees and particles. */
const normalize = cached((value) => {
  if (plainName.test(value) && value.length > 3) return value.toLowerCase()
  return nullIfEmpty(readPersonName(value).text) ?? nullIfEmpty(fold(value))
})

const isTypo = (a: string, b: string): boolean =>
  haveSameInitial(a, b) && (isOneEdit(a, b) || jaroWinkler(a, b) >= nearSimilarityMin)

/** Different initials are two names, although they are one edit apart. */
function haveSameInitial(a: string, b: string): boolean {
  if (!a.includes(' ') && !b.includes(' ')) return a.length > 1 && b.length > 1
  return initialsOf(a) === initialsOf(b)
}

const initialsOf = (name: string): string =>
  name
    .split(' ')
    .filter((word) => word.length === 1)
    .join('')

/** The level of swapped names: each record's first name is the other's last name. */
export const swappedLevel = 5

export const firstName: FieldType = {
  levels: ['exact', 'nickname', 'near', 'initial', 'similar', 'swapped', 'different'],
  group: 'name',
  strongTo: 2,
  vetoes: [6],
  sharedAt: [],
  normalize,
  compare(a, b) {
    if (a === b) return 0
    if ((a.length === 1 || b.length === 1) && a[0] === b[0]) return 3
    const [left, right] = [tokenOf(a), tokenOf(b)]
    const same = tokenSimilarity(left, right, true)
    if (same >= sameName) return 1
    // Mark and Mary differ by one letter, but are two names.
    const areTwoNames = same === 0 && left.given !== undefined && right.given !== undefined
    if (!areTwoNames && isTypo(a, b)) return 2
    if (hasWordOf(a, b)) return numberAt([2, 4, 6], differingWords(a, b))
    return same > 0 || jaroWinkler(a, b) >= similarNameMin ? 4 : 6
  },
  defaultM: [0.7, 0.06, 0.09, 0.03, 0.04, 0.03, 0.05],
}

/** Returns whether one name has an additional name: Anna and Anna Maria. */
function hasWordOf(a: string, b: string): boolean {
  if (!a.includes(' ') && !b.includes(' ')) return false
  const words = b.split(' ')
  return a.split(' ').some((word) => word.length > 1 && words.includes(word))
}

/**
 * 0: no contradiction, or an additional name. 1: other names (Anna Maria, Anna Lena). 2: another initial (Anna M.,
 * Anna K.).
 */
function differingWords(a: string, b: string): 0 | 1 | 2 {
  const [words, others] = [a.split(' '), b.split(' ')]
  const left = words.filter((word) => !others.includes(word))
  const right = others.filter((word) => !words.includes(word))
  if (left.length === 0 || right.length === 0) return 0
  if (left.some((word) => right.some((other) => areSameName(word, other)))) return 0
  return [...left, ...right].some((word) => word.length === 1) ? 2 : 1
}

const areSameName = (a: string, b: string): boolean =>
  tokenSimilarity(tokenOf(a), tokenOf(b), true) >= sameInitial || isTypo(a, b)

export const lastName: FieldType = {
  levels: ['exact', 'near', 'similar', 'different'],
  group: 'name',
  strongTo: 1,
  vetoes: [],
  sharedAt: [],
  normalize,
  compare(a, b) {
    if (a === b) return 0
    if (isTypo(a, b) || tokenSimilarity(tokenOf(a), tokenOf(b), false) >= sameName) return 1
    return jaroWinkler(a, b) >= similarNameMin || hasWordOf(a, b) ? 2 : 3
  },
  defaultM: [0.82, 0.1, 0.03, 0.05],
}
