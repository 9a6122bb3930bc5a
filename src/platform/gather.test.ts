import { expect, test } from 'vitest'
import { Batcher } from './batcher.ts'

test('calls that wait for a running group form the next group, and each gets its own result', async () => {
  const groups: (readonly number[])[] = []
  const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const gather = new Batcher(async (items: readonly number[]) => {
    groups.push(items)
    await steps[groups.length - 1]?.promise
    return items.map((item) => item * 10)
  })
  const first = gather.add(1)
  await expect.poll(() => groups).toEqual([[1]])
  const others = [gather.add(2), gather.add(3)]
  steps[0]!.resolve()
  expect(await first).toBe(10)
  await expect.poll(() => groups).toEqual([[1], [2, 3]])
  const late = gather.add(4)
  steps[1]!.resolve()
  expect(await Promise.all([...others, late])).toEqual([20, 30, 40])
  expect(groups).toEqual([[1], [2, 3], [4]])
})

test('if a group fails, its calls fail, and the next group runs', async () => {
  let fails = true
  const gather = new Batcher(async (items: readonly number[]) => {
    if (fails) throw new Error('no')
    return items
  })
  const [one, two] = await Promise.allSettled([gather.add(1), gather.add(2)])
  expect([one.status, two.status]).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await gather.add(3)).toBe(3)
})
