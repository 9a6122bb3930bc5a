import { timingSafeEqual } from 'node:crypto'

/** Compares a signature with what it should be, in a time that tells nothing of where they differ. */
export function isSameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
