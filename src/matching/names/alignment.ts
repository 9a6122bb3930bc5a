import { float64At, itemAt } from '../element-at.ts'
import {
  close,
  differentNameSimilarity,
  type NameToken,
  sameInitial,
  sameName,
  tokenSimilarity,
} from './token.ts'

/** The first `count` tokens are compared. Family names start at `family`. */
export type ComparedTokens = { tokens: readonly NameToken[]; count: number; family: number }

/** The next call of `align` overwrites the result. */
export type Alignment = {
  /** The number of matched whole words, even with typos. Two words that match one word count as two. */
  matched: number
  /** How many of the matched words have a typo. */
  slips: number
  /**
   * `families`: matched words that are family names in both names. `crossed`: matched words that are a given name in
   * one and a family name in the other.
   */
  families: number
  crossed: number
  /** `initials`: matches that include an initial. `shortened`: matches of a word with an initial. */
  initials: number
  shortened: number
  /** Pairs of unmatched words that contradict each other. */
  conflicts: number
  /** Unmatched words of one name: whole given names, whole family names, and initials. */
  spareGiven: number
  spareFamily: number
  spareInitials: number
  /** Whether one name has an unmatched first given name. */
  sparesFirst: boolean
  inOrder: boolean
  worst: number
  /** The mean similarity of all pairs, weighted by length, with contradictions: 0 to 1. */
  mean: number
}

const tokensMax = 12
const scores = new Float64Array(tokensMax * tokensMax)
const ofA = new Int8Array(tokensMax)
const ofB = new Int8Array(tokensMax)
const free = -1
const glued = -2

const found: Alignment = {
  matched: 0,
  slips: 0,
  families: 0,
  crossed: 0,
  initials: 0,
  shortened: 0,
  conflicts: 0,
  spareGiven: 0,
  spareFamily: 0,
  spareInitials: 0,
  sparesFirst: false,
  inOrder: true,
  worst: 1,
  mean: 0,
}
let weights = 0
let sum = 0
let ofPerson = true

/**
 * Pairs the words of two names, the most similar first. A word matches one word, or two words that it consists of. At
 * most 12 words of each name count. Only people have nicknames and initials. For a company, `family` is the index of
 * the first generic word.
 */
export function align(a: ComparedTokens, b: ComparedTokens, isPerson: boolean): Alignment {
  ofPerson = isPerson
  found.matched =
    found.slips =
    found.families =
    found.crossed =
    found.initials =
    found.shortened =
    found.conflicts =
      0
  found.spareGiven = found.spareFamily = found.spareInitials = 0
  found.sparesFirst = false
  found.inOrder = true
  found.worst = 1
  weights = 0
  sum = 0
  ofA.fill(free)
  ofB.fill(free)
  const countA = a.count
  const countB = b.count
  score(a, b, countA, countB)
  pair(a, b, countA, countB, close)
  matchJoinedWords(a, ofA, countA, b, ofB, countB)
  matchJoinedWords(b, ofB, countB, a, ofA, countA)
  pair(a, b, countA, countB, sameInitial)
  pair(a, b, countA, countB, 0)
  countUnmatched(a, ofA, countA)
  countUnmatched(b, ofB, countB)
  found.inOrder = areInOrder(countA)
  found.mean = weights === 0 ? 0 : sum / weights
  return found
}

function score(a: ComparedTokens, b: ComparedTokens, countA: number, countB: number): void {
  for (let i = 0; i < countA; i++) {
    for (let j = 0; j < countB; j++) {
      const one = itemAt(a.tokens, i)
      const other = itemAt(b.tokens, j)
      const asGiven = ofPerson && !(i >= a.family && j >= b.family)
      const similarity = tokenSimilarity(one, other, asGiven)
      scores[i * tokensMax + j] = similarity === sameInitial && !ofPerson ? 0 : similarity
    }
  }
}

function pair(a: ComparedTokens, b: ComparedTokens, countA: number, countB: number, least: number): void {
  for (;;) {
    let best = -1
    let first = 0
    let second = 0
    for (let i = 0; i < countA; i++) {
      if (ofA[i] !== free) continue
      for (let j = 0; j < countB; j++) {
        if (ofB[j] !== free) continue
        const similarity = float64At(scores, i * tokensMax + j)
        if (similarity < least) continue
        // Among equally similar pairs, prefer two given names or two family names, then two words with the same index.
        const alike = i >= a.family === j >= b.family
        const rank = similarity + (alike ? 0.002 : 0) + (i === j ? 0.001 : 0)
        if (rank > best) {
          best = rank
          first = i
          second = j
        }
      }
    }
    if (best < 0) return
    ofA[first] = second
    ofB[second] = first
    count(a, first, b, second, float64At(scores, first * tokensMax + second))
  }
}

function count(a: ComparedTokens, i: number, b: ComparedTokens, j: number, similarity: number): void {
  const one = itemAt(a.tokens, i)
  const other = itemAt(b.tokens, j)
  const isInitial = ofPerson && (one.text.length === 1 || other.text.length === 1)
  const weight = Math.max(one.text.length, other.text.length)
  weights += weight
  if (similarity < sameInitial) {
    found.conflicts++
    sum += weight * differentNameSimilarity(one, other)
    return
  }
  sum += weight * similarity
  if (isInitial) {
    found.initials++
    if (similarity < 1) found.shortened++
  } else {
    found.matched++
    if (similarity < sameName) found.slips++
    if (similarity < found.worst) found.worst = similarity
  }
  const isFamily = i >= a.family
  if (isFamily !== j >= b.family) found.crossed++
  else if (isFamily) found.families++
}

/** Matches two neighboring words with one: Good Will and Goodwill. */
function matchJoinedWords(
  a: ComparedTokens,
  takenA: Int8Array,
  countA: number,
  b: ComparedTokens,
  takenB: Int8Array,
  countB: number,
): void {
  for (let i = 0; i < countA; i++) {
    if (takenA[i] !== free) continue
    const whole = itemAt(a.tokens, i).text
    for (let j = 0; j + 1 < countB; j++) {
      if (takenB[j] !== free || takenB[j + 1] !== free) continue
      const left = itemAt(b.tokens, j).text
      const right = itemAt(b.tokens, j + 1).text
      if (left.length + right.length !== whole.length || !whole.startsWith(left) || !whole.endsWith(right))
        continue
      takenA[i] = glued
      takenB[j] = glued
      takenB[j + 1] = glued
      found.matched += 2
      found.worst = Math.min(found.worst, sameName + 0.02)
      weights += whole.length
      sum += whole.length * (sameName + 0.02)
      if (i >= a.family === j + 1 >= b.family) {
        if (i >= a.family) found.families++
      } else found.crossed++
      break
    }
  }
}

function countUnmatched(name: ComparedTokens, taken: Int8Array, words: number): void {
  for (let i = 0; i < words; i++) {
    if (taken[i] !== free) continue
    const { text } = itemAt(name.tokens, i)
    // A repeated word is not an additional name.
    if (isRepeatedWord(name, text, i, words)) continue
    if (ofPerson && text.length === 1) found.spareInitials++
    else if (i >= name.family) found.spareFamily++
    else found.spareGiven++
    if (i === 0 && name.family > 0) found.sparesFirst = true
  }
}

function isRepeatedWord(name: ComparedTokens, text: string, at: number, words: number): boolean {
  for (let i = 0; i < words; i++) if (i !== at && itemAt(name.tokens, i).text === text) return true
  return false
}

function areInOrder(countA: number): boolean {
  let last = -1
  for (let i = 0; i < countA; i++) {
    const j = itemAt(ofA, i)
    if (j < 0) continue
    if (j < last) return false
    last = j
  }
  return true
}
