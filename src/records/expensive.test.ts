import { expect, test } from 'vitest'
import { recentRequests } from '../platform/recent-requests.ts'
import { limitExpensiveLists } from './expensive.ts'
import { limitSearches } from './search.ts'

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

test('while the process also serves others, a list of a member waits for a search of a key', async () => {
  recentRequests.note({ payerId: 'other', orgId: 'other' })
  const search = Promise.withResolvers<void>()
  const begun: string[] = []
  const begin = (name: string, until: Promise<void>) => () => {
    begun.push(name)
    return until
  }
  const both = [
    limitSearches('org', begin('search', search.promise)),
    limitExpensiveLists('org:members', begin('list', Promise.resolve())),
  ]
  expect(begun).toEqual(['search'])
  search.resolve()
  await Promise.all(both)
  expect(begun).toEqual(['search', 'list'])
})
