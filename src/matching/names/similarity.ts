import { uint16At } from '../element-at.ts'

// Buffers that all comparisons share, so that a comparison allocates nothing. They grow to the longest string, in
// powers of two.
let taken = new Uint8Array(64)
let matched = new Uint16Array(64)
let rowBefore = new Uint16Array(65)
let row = new Uint16Array(65)
let rowNext = new Uint16Array(65)

const prefixScale = 0.1
const prefixLength = 4
const boostFrom = 0.7

/**
 * The Jaro–Winkler similarity of two strings by UTF-16 code unit, from 0 (nothing in common) to 1 (equal). Symmetric:
 * if both strings have the same length, the one that sorts first becomes the first argument. From a Jaro similarity of
 * 0.7, a common prefix of up to 4 raises the result (scale 0.1). M. A. Jaro, "Advances in record-linkage methodology",
 * JASA 84 (1989); W. E. Winkler, "String comparator metrics and enhanced decision rules in the Fellegi–Sunter model of
 * record linkage", ASA (1990).
 */
export function jaroWinkler(a: string, b: string): number {
  if (a === b) return 1
  const swap = a.length > b.length || (a.length === b.length && a > b)
  const jaro = swap ? jaroOf(b, a) : jaroOf(a, b)
  if (jaro < boostFrom) return jaro
  const limit = Math.min(prefixLength, a.length, b.length)
  let prefix = 0
  while (prefix < limit && a.charCodeAt(prefix) === b.charCodeAt(prefix)) prefix++
  return jaro + prefix * prefixScale * (1 - jaro)
}

/** The first string must not be longer than the second. */
function jaroOf(short: string, long: string): number {
  const shortLength = short.length
  const longLength = long.length
  if (shortLength === 0) return 0
  if (longLength > taken.length) {
    taken = new Uint8Array(powerOfTwo(longLength))
    matched = new Uint16Array(taken.length)
  }
  taken.fill(0, 0, longLength)

  const reach = Math.max(0, (longLength >> 1) - 1)
  let matches = 0
  let transposed = 0
  for (let i = 0; i < shortLength; i++) {
    const unit = short.charCodeAt(i)
    const end = Math.min(longLength, i + reach + 1)
    for (let j = i > reach ? i - reach : 0; j < end; j++) {
      if (taken[j] === 0 && long.charCodeAt(j) === unit) {
        taken[j] = 1
        matched[matches++] = unit
        break
      }
    }
  }
  if (matches === 0) return 0
  for (let j = 0, found = 0; found < matches; j++) {
    if (taken[j] === 1 && matched[found++] !== long.charCodeAt(j)) transposed++
  }
  const inOrder = matches - (transposed >> 1)
  return (matches / shortLength + matches / longLength + inOrder / matches) / 3
}

/**
 * The optimal string alignment distance: the number of insertions, deletions, substitutions and swaps of neighbors. No
 * part is edited twice. Counts UTF-16 code units, at most 65,535. Symmetric; breaks the triangle inequality, unlike the
 * unrestricted Damerau–Levenshtein distance. F. J. Damerau, "A technique for computer detection and correction of
 * spelling errors", CACM 7 (1964); L. Boytsov, "Indexing methods for approximate dictionary searching", JEA 16 (2011).
 */
export function osaDistance(a: string, b: string): number {
  if (a === b) return 0
  let start = 0
  let endA = a.length
  let endB = b.length
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start++
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--
    endB--
  }
  const lengthA = endA - start
  const lengthB = endB - start
  if (lengthA === 0) return lengthB
  if (lengthB === 0) return lengthA
  if (lengthA === 1 && lengthB === 1) return 1
  return lengthA < lengthB ? osaOf(b, a, start, lengthB, lengthA) : osaOf(a, b, start, lengthA, lengthB)
}

function osaOf(a: string, b: string, start: number, lengthA: number, lengthB: number): number {
  if (lengthB > row.length - 1) growRows(lengthB)
  for (let j = 0; j <= lengthB; j++) row[j] = j
  let before = -1
  for (let i = 1; i <= lengthA; i++) {
    const unit = a.charCodeAt(start + i - 1)
    rowNext[0] = i
    let left = i
    let diagonal = uint16At(row, 0)
    let unitBefore = -1
    for (let j = 1; j <= lengthB; j++) {
      const other = b.charCodeAt(start + j - 1)
      const above = uint16At(row, j)
      let best = diagonal
      if (unit !== other) {
        if (above < best) best = above
        if (left < best) best = left
        best++
        if (unit === unitBefore && before === other) {
          const swapped = uint16At(rowBefore, j - 2) + 1
          if (swapped < best) best = swapped
        }
      }
      rowNext[j] = best
      left = best
      diagonal = above
      unitBefore = other
    }
    before = unit
    const spare = rowBefore
    rowBefore = row
    row = rowNext
    rowNext = spare
  }
  return uint16At(row, lengthB)
}

/** 1 − `osaDistance` / longer length, from 0 to 1. Only equal strings give 1. */
export function osaSimilarity(a: string, b: string): number {
  if (a === b) return 1
  return 1 - osaDistance(a, b) / Math.max(a.length, b.length)
}

function growRows(length: number): void {
  const size = powerOfTwo(length) + 1
  rowBefore = new Uint16Array(size)
  row = new Uint16Array(size)
  rowNext = new Uint16Array(size)
}

function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(atLeast))
}
