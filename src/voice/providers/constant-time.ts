import { timingSafeEqual } from 'node:crypto'

/** Compares a signature with the expected one in constant time, so that it cannot be guessed letter by letter. */
export function isEqualInConstantTime(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
