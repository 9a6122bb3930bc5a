import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GmailQuota, quotaUnits } from './gmail-quota.ts'

/** The smaller of two published limits for a user (developers.google.com/workspace/gmail/api/reference/quota). */
const limits = { perUser: 6_000, perProject: 1_200_000 }
const minuteMs = 60_000

class FakeClock {
  ms = 0
  now = () => this.ms
}

type Spent = { at: number; user: string; cost: number }

/** Returns the highest number of units that were used in one minute. */
function mostInAMinute(spent: readonly Spent[]): number {
  const sorted = spent.toSorted((one, other) => one.at - other.at)
  let [most, sum, from] = [0, 0, 0]
  for (const { at, cost } of sorted) {
    sum += cost
    while (sorted[from]!.at <= at - minuteMs) sum -= sorted[from++]!.cost
    most = Math.max(most, sum)
  }
  return most
}

describe('the Gmail quota', () => {
  test('1,000 mailboxes at once stay within the project’s quota, and are complete within 6 seconds', () => {
    const clock = new FakeClock()
    const quota = new GmailQuota(clock)
    const costs = [quotaUnits.list, quotaUnits.update, quotaUnits.get]
    const spent = Array.from({ length: 1_000 }, (_, index) => `user${index}@example.com`).flatMap((user) =>
      costs.map((cost): Spent => ({ at: clock.now() + quota.take('project', user, cost), user, cost })),
    )
    expect(mostInAMinute(spent)).toBeLessThanOrEqual(limits.perProject)
    expect(Math.max(...spent.map(({ at }) => at))).toBeLessThan(6_000)
  })

  test('200 pushes of one mailbox stay within the user’s quota', () => {
    const quota = new GmailQuota(new FakeClock())
    const spent = Array.from({ length: 200 }, () => ({
      at: quota.take('project', 'a', quotaUnits.update),
      user: 'a',
      cost: 100,
    }))
    expect(mostInAMinute(spent)).toBeLessThanOrEqual(limits.perUser)
    expect(spent.filter(({ at }) => at === 0)).toHaveLength(10)
  })

  test('no sequence of requests exceeds the quota of the project or of a user', () => {
    const asked = fc.record({
      user: fc.constantFrom('a@example.com', 'b@example.com'),
      cost: fc.constantFrom(quotaUnits.list, quotaUnits.update),
      pauseMs: fc.oneof(fc.constant(0), fc.nat(2_000), fc.nat(90_000)),
    })
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 400, size: 'max' }), (requests) => {
        const clock = new FakeClock()
        const quota = new GmailQuota(clock)
        const spent = requests.map(({ user, cost, pauseMs }): Spent => {
          clock.ms += pauseMs
          return { at: clock.now() + quota.take('project', user, cost), user, cost }
        })
        expect(mostInAMinute(spent)).toBeLessThanOrEqual(limits.perProject)
        for (const ofUser of Map.groupBy(spent, ({ user }) => user).values())
          expect(mostInAMinute(ofUser)).toBeLessThanOrEqual(limits.perUser)
      }),
    )
  })
})
