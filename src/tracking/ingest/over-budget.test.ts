import { expect, test } from 'vitest'
import { OverBudget } from './over-budget.ts'
import type { Sender } from './senders.ts'

const of = (id: string, address: string | null, budgetOwner = id) =>
  ({ limits: { id, budgetOwner }, address }) as Sender

test('a sender is over its budget as long as it was told to wait, at most 10 s; other addresses and keys are not', () => {
  let now = 1_000
  const overBudget = new OverBudget({ monotonicMs: () => now, epochMs: () => now })
  const sender = of('k1', 'a')
  expect(overBudget.waitSecondsOf(sender)).toBeNull()
  overBudget.note(sender, 2, null)
  now += 1_500
  expect(overBudget.waitSecondsOf(sender)).toBe(1)
  expect(
    [of('k1', 'b'), of('k2', 'a'), of('k1', null)].map((each) => overBudget.waitSecondsOf(each)),
  ).toEqual([null, null, null])
  now += 500
  expect(overBudget.waitSecondsOf(sender)).toBeNull()
  overBudget.note(sender, 86_400, null)
  expect(overBudget.waitSecondsOf(sender)).toBe(10)
})

test('a spent budget that addresses share makes all of them wait for a second', () => {
  let now = 1_000
  const overBudget = new OverBudget({ monotonicMs: () => now, epochMs: () => now })
  const senders = [of('k1', 'a', 'o1'), of('k1', 'b', 'o1'), of('k2', 'a', 'o1'), of('k3', 'a', 'o2')]
  const waits = () => senders.map((each) => overBudget.waitSecondsOf(each))
  overBudget.note(of('k1', 'c', 'o1'), 5, 'key k1')
  expect(waits()).toEqual([1, 1, null, null])
  overBudget.note(of('k2', 'c', 'o1'), 5, 'events of o1')
  expect(waits()).toEqual([1, 1, 1, null])
  now += 1_000
  expect(waits()).toEqual([null, null, null, null])
})
