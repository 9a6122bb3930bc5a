import { expect, test } from 'vitest'
import type { Org } from '../../platform/db/org.ts'
import { recentRequests } from '../../platform/recent-requests.ts'
import { limitSearches } from '../../records/search.ts'
import { readFunnel } from './funnel.ts'
import { limitReports } from './limit-reports.ts'

test('while the process also serves others, reports and funnels wait for a search of their organization', async () => {
  recentRequests.note({ payerId: 'other', orgId: 'other' })
  const search = Promise.withResolvers<void>()
  const begun: string[] = []
  const org = (name: string) =>
    ({
      read: async () => {
        begun.push(name)
        return []
      },
    }) as unknown as Org
  const all = [
    limitSearches('org', () => {
      begun.push('search')
      return search.promise
    }),
    limitReports('org', org('report'), async () => {}),
    readFunnel('org:members', org('funnel'), {
      steps: [],
      window_days: 1,
    }),
  ]
  expect(begun).toEqual(['search'])
  search.resolve()
  await Promise.all(all)
  expect(begun.toSorted()).toEqual(['funnel', 'report', 'search'])
})
