import { expect, test } from 'vitest'
import { comparedTogether, comparedWith } from './pair-limit.ts'

const records = (...sizes: number[]) => sizes.map((length, place) => ({ place, members: { length } }))
const together = (...sizes: number[]) =>
  comparedTogether(records(...sizes), ({ members }) => members.length).map(({ place }) => place)

test.each([
  ['200 records with one id each', Array.from({ length: 200 }, () => 1), 200],
  ['a record with 500 ids and 150 others', [500, ...Array.from({ length: 150 }, () => 1)], 151],
  ['two records with 300 ids each', [300, 300], 2],
  ['two records with 500 ids each', [500, 500], 1],
  ['no record', [], 0],
])('of %s, a plan compares as many as 100,000 pairs allow', (_what, sizes, count) => {
  expect(together(...sizes)).toHaveLength(count)
})

test('a record that is too large to be compared is left out, and smaller ones after it are compared', () => {
  expect(together(2, 400, 500, 3)).toEqual([0, 1, 3])
})

test('a record with 500 ids is compared with 200 records that have one id each, but not with a second record with 500 ids', () => {
  const [large, ...small] = records(500, ...Array.from({ length: 200 }, () => 1))
  expect(comparedWith(large!, small)).toHaveLength(200)
  expect(comparedWith(large!, records(500))).toEqual([])
})
