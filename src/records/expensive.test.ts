import { expect, test } from 'vitest'
import { recentRequests } from '../platform/recent-requests.ts'
import { limitExpensiveLists } from './expensive.ts'

test('while the process also serves others, the second list of an organization waits for the first', async () => {
  recentRequests.note({ payerId: 'other', orgId: 'other' })
  const first = Promise.withResolvers<void>()
  const begun: number[] = []
  const lists = [1, 2].map((list) =>
    limitExpensiveLists('org', () => {
      begun.push(list)
      return list === 1 ? first.promise : Promise.resolve()
    }),
  )
  expect(begun).toEqual([1])
  await expect(limitExpensiveLists('org', async () => {})).rejects.toMatchObject({ code: 'expensive_query' })
  first.resolve()
  await Promise.all(lists)
  expect(begun).toEqual([1, 2])
})
