import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clusterEdges, clusterSizeMax, type Edges } from './cluster.ts'

const records = 12

type Pair = readonly [a: number, b: number, weight: number]

const edgesOf = (pairs: readonly Pair[]): Edges => ({
  a: Uint32Array.from(pairs, ([a]) => a),
  b: Uint32Array.from(pairs, ([, b]) => b),
  weights: Float64Array.from(pairs, ([, , weight]) => weight),
})
const membersOf = (pairs: readonly Pair[], options = {}) =>
  clusterEdges(records, edgesOf(pairs), options).map(({ members }) => members)

const pairs = fc
  .uniqueArray(
    fc.tuple(fc.nat(records - 1), fc.nat(records - 1), fc.double({ min: -10, max: 20, noNaN: true })),
    {
      selector: ([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`,
    },
  )
  .map((list) =>
    list.filter(([a, b]) => a !== b).map(([a, b, weight]): Pair => [Math.min(a, b), Math.max(a, b), weight]),
  )

describe('average link', () => {
  test.each<[string, Pair[], number[][]]>([
    ['joins a pair', [[0, 1, 5]], [[0, 1]]],
    ['does not join a pair with a negative weight', [[0, 1, -1]], []],
    // The pair 0–2 has no edge and weighs −4. The mean of 3 and −4 is below 0.
    [
      'does not add a third record if the mean weight is below 0',
      [
        [0, 1, 5],
        [1, 2, 3],
      ],
      [[0, 1]],
    ],
    [
      'adds a third record if the mean weight is above 0',
      [
        [0, 1, 5],
        [1, 2, 6],
      ],
      [[0, 1, 2]],
    ],
    [
      'adds a third record that is near one record of the cluster, in spite of a negative edge',
      [
        [0, 1, 9],
        [1, 2, 6],
        [0, 2, -2],
      ],
      [[0, 1, 2]],
    ],
  ])('average link %s', (_, edges, clusters) => {
    expect(membersOf(edges)).toEqual(clusters)
  })

  test('average link computes the weight of pairs without an edge', () => {
    expect(
      membersOf(
        [
          [0, 1, 5],
          [1, 2, 3],
        ],
        { weightOf: () => 3 },
      ),
    ).toEqual([[0, 1, 2]])
  })

  test('average link stores the weight of the weakest edge of each cluster', () => {
    const triangle = edgesOf([
      [0, 1, 9],
      [1, 2, 6],
      [0, 2, 4],
    ])
    expect(clusterEdges(records, triangle)).toMatchObject([{ members: [0, 1, 2], weakest: 6 }])
  })

  test('average link makes no cluster of more than 50 records', () => {
    const everyone = Array.from({ length: 60 }, (_, b): Pair => [0, b + 1, 10])
    const [first] = clusterEdges(61, edgesOf(everyone), { weightOf: () => 10 })
    expect(first!.members).toHaveLength(clusterSizeMax)
  })
})

test('the order of the pairs does not change the clusters', () => {
  fc.assert(
    fc.property(
      pairs.chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
      ),
      ([list, shuffled]) => {
        expect(membersOf(shuffled)).toEqual(membersOf(list))
      },
    ),
  )
})

test('each record is in at most one cluster, whose mean weight reaches the threshold', () => {
  fc.assert(
    fc.property(pairs, fc.double({ min: -3, max: 8, noNaN: true }), (list, threshold) => {
      const clusters = clusterEdges(records, edgesOf(list), { threshold })
      const all = clusters.flatMap(({ members }) => members)
      expect(new Set(all).size).toBe(all.length)
      for (const { weakest, members, expectedPairs } of clusters) {
        expect(weakest).toBeGreaterThanOrEqual(threshold)
        expect(expectedPairs).toBeLessThanOrEqual((members.length * (members.length - 1)) / 2)
      }
    }),
  )
})
