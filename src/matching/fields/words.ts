import { itemAt } from '../element-at.ts'
import { jaroWinkler, osaSimilarity } from '../names/similarity.ts'
import { letterOverlap } from './edits.ts'
import type { FieldType } from './field-type.ts'
import { fold, nullIfEmpty } from './fold.ts'

const otherNumbersLevel = 3

/** Words in any order, such as a street or a title. */
export const text: FieldType = {
  levels: ['exact', 'near', 'similar', 'other numbers', 'related', 'different'],
  // The text is usually a street, so it repeats the evidence of the postcode.
  group: 'address',
  strongTo: 1,
  vetoes: [otherNumbersLevel],
  sharedAt: [0, 1],
  normalize: (value) => nullIfEmpty(fold(value)),
  compare(a, b) {
    if (a === b) return 0
    const [left, right] = [a.replaceAll(' ', ''), b.replaceAll(' ', '')]
    const words = wordSimilarity(a, b) / (left.length + right.length)
    const whole = letterOverlap(left, right) < 0.5 ? 0 : osaSimilarity(left, right)
    const similarity = Math.max(words, whole)
    if (similarity < 0.7) return similarity < 0.5 ? 5 : 4
    if (haveDifferentNumbers(a, b)) return otherNumbersLevel
    return similarity >= 0.9 ? 1 : 2
  },
  defaultM: [0.7, 0.13, 0.05, 0.02, 0.04, 0.06],
}

const nearWordSimilarityMin = 0.92
const nearWordLengthMin = 4

/** The share of letters in words that have a similar word in the other text: a soft form of Dice’s coefficient. */
function wordSimilarity(a: string, b: string): number {
  const [left, right] = a < b ? [a.split(' '), b.split(' ')] : [b.split(' '), a.split(' ')]
  let letters = 0
  for (const word of left) {
    let best = -1
    let bestSimilarity = 0
    for (const [index, other] of right.entries()) {
      const similarity = similarityOfWords(word, other)
      if (similarity > bestSimilarity) [best, bestSimilarity] = [index, similarity]
    }
    if (best < 0) continue
    letters += bestSimilarity * (word.length + itemAt(right, best).length)
    right.splice(best, 1)
  }
  return letters
}

function similarityOfWords(a: string, b: string): number {
  if (a === b) return 1
  if (a.length < nearWordLengthMin || b.length < nearWordLengthMin || Math.abs(a.length - b.length) > 3)
    return 0
  const similarity = jaroWinkler(a, b)
  return similarity >= nearWordSimilarityMin ? similarity : 0
}

const wholeNumber = /\b\d+\b/g
const anyDigit = /\d/

/** 12 Main Street and 14 Main Street are two places. */
function haveDifferentNumbers(a: string, b: string): boolean {
  if (!anyDigit.test(a) || !anyDigit.test(b)) return false
  const left: string[] = a.match(wholeNumber) ?? []
  const right: string[] = b.match(wholeNumber) ?? []
  return left.some((each) => !right.includes(each)) && right.some((each) => !left.includes(each))
}
