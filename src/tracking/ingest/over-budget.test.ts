import { expect, test } from 'vitest'
import { OverBudget } from './over-budget.ts'
import type { Sender } from './senders.ts'

const of = (id: string, address: string | null) => ({ limits: { id }, address }) as Sender

test('a sender is over its budget as long as it was told to wait, at most 10 s; other addresses and keys are not', () => {
  let now = 1_000
  const overBudget = new OverBudget({ monotonicMs: () => now, epochMs: () => now })
  const sender = of('k1', 'a')
  expect(overBudget.waitSecondsOf(sender)).toBeNull()
  overBudget.note(sender, 2)
  now += 1_500
  expect(overBudget.waitSecondsOf(sender)).toBe(1)
  expect(
    [of('k1', 'b'), of('k2', 'a'), of('k1', null)].map((each) => overBudget.waitSecondsOf(each)),
  ).toEqual([null, null, null])
  now += 500
  expect(overBudget.waitSecondsOf(sender)).toBeNull()
  overBudget.note(sender, 86_400)
  expect(overBudget.waitSecondsOf(sender)).toBe(10)
})
