import { expect, test } from 'vitest'
import { FormBudgets } from './form-budgets.ts'

const form = { formId: 'f', mainOrgId: 'p' }

test('submissions without a proof of work do not use up the budget of submissions with a proof, which counts five times', () => {
  const budgets = new FormBudgets({ monotonicMs: () => 0, epochMs: () => 0 })
  let networks = 0
  const send = (proofId: string | null = null) => budgets.count(form, `network ${networks++}`, proofId)
  for (let sent = 0; sent < 1_000; sent++) expect(send()).toBeNull()
  expect(send()).toBeGreaterThan(0)
  for (let sent = 0; sent < 5; sent++) expect(send('one')).toBeNull()
  expect(send('one')).toBeGreaterThan(0)
  expect(send('two')).toBeNull()
})
