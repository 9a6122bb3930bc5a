import fc from 'fast-check'
import { expect, test } from 'vitest'
import { osaDistance, osaSimilarity } from '../names/similarity.ts'
import { isOneEdit, letterOverlap } from './edits.ts'

const near = fc.tuple(
  fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 }),
  fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 }),
)

test('any single edit of a word gives a distance of one', () => {
  fc.assert(
    fc.property(near, ([a, b]) => {
      expect(isOneEdit(a, b)).toBe(osaDistance(a, b) === 1)
    }),
    { numRuns: 2000 },
  )
})

test('letterOverlap is an upper bound of osaSimilarity', () => {
  fc.assert(
    fc.property(near, ([a, b]) => {
      expect(letterOverlap(a, b)).toBeGreaterThanOrEqual(osaSimilarity(a, b) - 1e-9)
    }),
  )
})
