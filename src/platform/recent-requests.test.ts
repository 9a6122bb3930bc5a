import { expect, test } from 'vitest'
import { awakeMs } from './busy-thread.ts'
import { expectsOthers, RecentRequests, recentRequests } from './recent-requests.ts'

const [ours, theirs] = ['0190a3c4-0000-7000-8000-000000000001', '0190a3c4-0000-7000-8000-000000000002']
const agency = '0190a3c4-0000-7000-8000-000000000003'
/** A caller that acts on its own organization, or on another one. */
const of = (payerId: string, orgId = payerId.slice(0, 36)) => ({ payerId, orgId })

test('requests of the organization itself do not hide the latest request of others', () => {
  const requests = new RecentRequests()
  const others = () => requests.msSinceOthers(ours, 1_000)
  expect(others(), 'no request yet').toBe(Number.POSITIVE_INFINITY)
  requests.note(of(ours), 100)
  requests.note(of(`${ours}:members`), 200)
  expect(others(), 'only own requests').toBe(Number.POSITIVE_INFINITY)
  requests.note(of(theirs), 300)
  expect(others(), 'the latest is of others').toBe(700)
  requests.note(of(ours), 900)
  requests.note(of(ours), 950)
  expect(others(), 'own requests came later').toBe(700)
})

test('while the thread was too busy to read requests, the time does not advance', () => {
  const requests = new RecentRequests()
  requests.note(of(theirs))
  for (const end = performance.now() + 600; performance.now() < end; );
  expect(requests.areOfOthers(ours)).toBe(true)
})

test('requests of an agency that act on the organization are not requests of others', () => {
  const requests = new RecentRequests()
  const others = () => requests.msSinceOthers(ours, 1_000)
  requests.note(of(agency, ours), 800)
  expect(others(), 'the agency watches this client').toBe(Number.POSITIVE_INFINITY)
  requests.note(of(theirs), 850)
  requests.note(of(agency, ours), 900)
  expect(others(), 'others sent a request before').toBe(150)
  requests.note(of(agency, theirs), 950)
  expect(others(), 'the agency works on another client').toBe(50)
})

test('requests of all four payers of an organization do not hide an earlier request of others', () => {
  const requests = new RecentRequests()
  requests.note(of(theirs), 900)
  for (const payer of [ours, `${ours}:members`, agency, `${agency}:members`])
    requests.note(of(payer, ours), 950)
  expect(requests.msSinceOthers(ours, 1_000)).toBe(100)
})

test('a process that served others 50 s ago expects their next requests, but no longer counts as serving them', () => {
  const requests = new RecentRequests()
  requests.note(of(theirs), awakeMs() - 50_000)
  expect([requests.areOfOthers(ours), requests.areOfOthers(ours, 60_000)]).toEqual([false, true])
  recentRequests.note(of(theirs), awakeMs() - 50_000)
  expect([expectsOthers(ours), expectsOthers(`${ours}:members`)]).toEqual([true, true])
})
