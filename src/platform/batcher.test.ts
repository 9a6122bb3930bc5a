import { expect, test } from 'vitest'
import { Batcher } from './batcher.ts'

test('calls that wait for a running group form the next group, and each gets its own result', async () => {
  const groups: (readonly number[])[] = []
  const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const batcher = new Batcher(async (items: readonly number[]) => {
    groups.push(items)
    await steps[groups.length - 1]?.promise
    return items.map((item) => item * 10)
  })
  const first = batcher.add(1)
  await expect.poll(() => groups).toEqual([[1]])
  const others = [batcher.add(2), batcher.add(3)]
  steps[0]!.resolve()
  expect(await first).toBe(10)
  await expect.poll(() => groups).toEqual([[1], [2, 3]])
  const late = batcher.add(4)
  steps[1]!.resolve()
  expect(await Promise.all([...others, late])).toEqual([20, 30, 40])
  expect(groups).toEqual([[1], [2, 3], [4]])
})

test('if a group fails, its calls fail, and the next group runs', async () => {
  let fails = true
  const batcher = new Batcher(async (items: readonly number[]) => {
    if (fails) throw new Error('no')
    return items
  })
  const [one, two] = await Promise.allSettled([batcher.add(1), batcher.add(2)])
  expect([one.status, two.status]).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await batcher.add(3)).toBe(3)
})

test('a group has at most the given number of items, and the others form the next groups', async () => {
  const groups: (readonly number[])[] = []
  const batcher = new Batcher(async (items: readonly number[]) => {
    groups.push(items)
    return items.map((item) => item * 10)
  }, 2)
  expect(await Promise.all([1, 2, 3, 4, 5].map((item) => batcher.add(item)))).toEqual([10, 20, 30, 40, 50])
  expect(groups).toEqual([[1, 2], [3, 4], [5]])
})
