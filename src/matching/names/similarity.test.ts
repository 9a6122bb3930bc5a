import { assert, property, string, stringMatching } from 'fast-check'
import { expect, test } from 'vitest'
import { jaroWinkler, osaDistance, osaSimilarity } from './similarity.ts'

// Winkler's published examples (1990, 1994) and edge cases.
test.each([
  ['MARTHA', 'MARHTA', 0.961],
  ['DWAYNE', 'DUANE', 0.84],
  ['DIXON', 'DICKSONX', 0.813],
  ['SHACKLEFORD', 'SHACKELFORD', 0.982],
  ['JONES', 'JOHNSON', 0.832],
  ['ABROMS', 'ABRAMS', 0.922],
  ['ab', 'ba', 0],
  ['abc', 'xyz', 0],
  ['', '', 1],
  ['', 'a', 0],
  ['a', 'a', 1],
])('the Jaro–Winkler similarity of %s and %s is %f', (a, b, similarity) => {
  expect(jaroWinkler(a, b)).toBeCloseTo(similarity, 2)
})

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['ca', 'abc', 3],
  ['ab', 'ba', 1],
  ['martha', 'marhta', 1],
  ['abcd', 'badc', 2],
  ['smith', 'smyth', 1],
  ['weiß', 'weiss', 2],
  ['aab', 'aba', 1],
])('%s and %s are %i edits apart', (a, b, distance) => {
  expect(osaDistance(a, b)).toBe(distance)
})

const word = stringMatching(/^[abc]{0,9}$/)

test('similarities are symmetric, from 0 to 1, and 1 only for equal strings', () => {
  for (const compare of [jaroWinkler, osaSimilarity]) {
    for (const text of [word, string({ maxLength: 80 })]) {
      assert(
        property(text, text, (a, b) => {
          const similarity = compare(a, b)
          expect(similarity).toBe(compare(b, a))
          expect(similarity).toBeGreaterThanOrEqual(0)
          expect(similarity === 1).toBe(a === b)
          expect(similarity).toBeLessThanOrEqual(1)
        }),
      )
    }
  }
})

test('the distance equals the textbook recurrence', () => {
  assert(
    property(word, word, (a, b) => {
      expect(osaDistance(a, b)).toBe(recurrence(a, b))
    }),
    { numRuns: 500 },
  )
})

test('strings longer than the buffers can be compared', () => {
  const long = 'ab'.repeat(400)
  expect(osaDistance(`x${long}y`, `y${long}x`)).toBe(2)
  expect(jaroWinkler(long, `${long}c`)).toBeGreaterThan(0.99)
})

/** Computes the whole table, as in the definition of the distance. */
function recurrence(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)])
  for (let j = 1; j <= b.length; j++) table[0]![j] = j
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, table[i - 1]![j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, table[i - 2]![j - 2]! + 1)
      }
      table[i]![j] = best
    }
  }
  return table[a.length]![b.length]!
}
