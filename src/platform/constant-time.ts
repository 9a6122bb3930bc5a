import { timingSafeEqual } from 'node:crypto'

/** Compares a secret or a signature with the expected one in constant time, so that it cannot be guessed byte by byte. */
export function isEqualInConstantTime(given: string | Buffer, expected: string | Buffer): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
