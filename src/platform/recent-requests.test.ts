import { expect, test } from 'vitest'
import { RecentRequests } from './recent-requests.ts'

const [ours, theirs] = ['0190a3c4-0000-7000-8000-000000000001', '0190a3c4-0000-7000-8000-000000000002']

test('requests of the organization itself do not hide the latest request of others', () => {
  const requests = new RecentRequests()
  const others = () => requests.msSinceOthers(ours, 1_000)
  expect(others(), 'no request yet').toBe(Number.POSITIVE_INFINITY)
  requests.note(ours, 100)
  requests.note(`${ours}:members`, 200)
  expect(others(), 'only own requests').toBe(Number.POSITIVE_INFINITY)
  requests.note(theirs, 300)
  expect(others(), 'the latest is of others').toBe(700)
  requests.note(ours, 900)
  requests.note(ours, 950)
  expect(others(), 'own requests came later').toBe(700)
})
