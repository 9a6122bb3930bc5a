import { int16At } from '../element-at.ts'

/**
 * Whether one edit makes the strings equal: an insertion, a deletion, a substitution or a swap of neighbors. Takes
 * linear time.
 */
export function isOneEdit(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let start = 0
  while (start < short.length && short.charCodeAt(start) === long.charCodeAt(start)) start += 1
  let end = 0
  while (
    end < short.length - start &&
    short.charCodeAt(short.length - 1 - end) === long.charCodeAt(long.length - 1 - end)
  ) {
    end += 1
  }
  const left = short.length - start - end
  if (long.length > short.length) return left === 0
  if (left <= 1) return left === 1
  return (
    left === 2 &&
    short.charCodeAt(start) === long.charCodeAt(start + 1) &&
    short.charCodeAt(start + 1) === long.charCodeAt(start)
  )
}

const counts = new Int16Array(128)

/**
 * An upper bound (0 to 1) of the similarity by edit distance: the common characters as a share of the longer string.
 * If it is low, the distance need not be computed.
 */
export function letterOverlap(a: string, b: string): number {
  const longer = Math.max(a.length, b.length)
  if (longer === 0) return 1
  if (longer > 1000) return 1
  counts.fill(0)
  for (let index = 0; index < a.length; index += 1) {
    const code = a.charCodeAt(index) & 127
    counts[code] = int16At(counts, code) + 1
  }
  let common = 0
  for (let index = 0; index < b.length; index += 1) {
    const code = b.charCodeAt(index) & 127
    if (int16At(counts, code) > 0) {
      counts[code] = int16At(counts, code) - 1
      common += 1
    }
  }
  return common / longer
}
