import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeContacts } from '../../bench/matching/crm-records.ts'
import { pairwise } from '../../bench/matching/evaluate.ts'
import { automaticClusters } from './automatic-clusters.ts'
import { type MatchOptions, matchRecords } from './match.ts'
import { RecordSetBuilder } from './record-set.ts'
import type { Column } from './schema.ts'

const schema: Column[] = [
  { name: 'first_name', type: 'first_name' },
  { name: 'last_name', type: 'last_name' },
  { name: 'email', type: 'email' },
  { name: 'phone', type: 'phone' },
  // Two people of one company share its city, but must not match.
  { name: 'company_name', type: 'company_name' },
  { name: 'city', type: 'city' },
]
const generated = makeContacts(450, 11)
const truth = generated.map(({ entity }) => String(entity))

function setOf(order: readonly number[]) {
  const builder = new RecordSetBuilder(schema)
  for (const index of order) builder.add(generated[index]!.record)
  return builder.finish()
}

const inOrder = generated.map((_, index) => index)
const set = setOf(inOrder)
const learned = await matchRecords(set)
const match = (options: MatchOptions = {}) =>
  matchRecords(set, { model: learned.model, threshold: learned.threshold, ...options })

describe('a set without labels', () => {
  test('a set without labels trains a model and finds the right threshold', async () => {
    const { precision, recall } = pairwise(learned.clusters, truth)
    expect(precision).toBeGreaterThan(0.97)
    expect(recall).toBeGreaterThan(0.85)
    expect(learned.expectedF1).toBeGreaterThan(0.9)
    const automatic = pairwise(automaticClusters(set, learned), truth)
    expect(automatic.precision).toBe(1)
    expect(automatic.recall).toBeGreaterThan(0.3)
  })

  test('a set without labels has the same result on one thread and on three', async () => {
    const [one, three] = await Promise.all([match(), match({ threads: 3 })])
    expect(three.edges).toEqual(one.edges)
    expect(three.clusters).toEqual(one.clusters)
    expect(one.clusters).toEqual(learned.clusters)
  })
})

test('columns are compared by their types, not by their names', async () => {
  const renamed = new RecordSetBuilder(schema.map(({ type }, index) => ({ name: `x${index}`, type })))
  // Both sets train a model, which would take seconds for all records.
  const some = inOrder.slice(0, 300)
  for (const { record } of some.map((index) => generated[index]!)) {
    renamed.add(Object.fromEntries(schema.map(({ name }, index) => [`x${index}`, record[name]])))
  }
  const { clusters } = await matchRecords(renamed.finish())
  expect(clusters.length).toBeGreaterThan(5)
  expect(clusters).toEqual((await matchRecords(setOf(some))).clusters)
})

test.each([0, 1, 2, 5])('a set of %i records has a result', async (size) => {
  const { clusters, expectedF1, model } = await matchRecords(setOf(inOrder.slice(0, size)))
  expect(clusters.every(({ members }) => members.length > 1)).toBe(true)
  const numbers = [
    expectedF1,
    model.partners,
    ...Object.values(model.rates).flatMap(({ m, u }) => [...m, ...u]),
  ]
  expect(numbers.filter((number) => !Number.isFinite(number))).toEqual([])
})

test('records with only blank fields match nothing', async () => {
  const builder = new RecordSetBuilder(schema)
  for (let index = 0; index < 20; index += 1) builder.add({ first_name: ' ', email: null })
  expect((await matchRecords(builder.finish())).clusters).toEqual([])
})

test('any number of equal records form clusters', async () => {
  const copies = fc.integer({ min: 2, max: 6 })
  await fc.assert(
    fc.asyncProperty(copies, fc.nat(generated.length - 1), async (count, index) => {
      const builder = new RecordSetBuilder(schema)
      for (const other of inOrder.slice(0, 40)) if (other !== index) builder.add(generated[other]!.record)
      for (let copy = 0; copy < count; copy += 1) {
        builder.add({ first_name: 'Zebulon', last_name: 'Quirke', email: 'zq@quirke.example' })
      }
      const { clusters } = await matchRecords(builder.finish())
      const from = 40 - (index < 40 ? 1 : 0)
      expect(clusters.map(({ members }) => members)).toContainEqual(
        Array.from({ length: count }, (_, copy) => from + copy),
      )
    }),
    { numRuns: 6 },
  )
})
