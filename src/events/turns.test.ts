import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { takeTurn } from '../platform/db/turns.ts'
import { recentRequests } from '../platform/recent-requests.ts'
import { listEvents } from './events.ts'

test('while the process also serves others, a deep page of events waits for a long read of the organization', async () => {
  recentRequests.note({ payerId: 'other', orgId: 'other' })
  const long = Promise.withResolvers<void>()
  const begun: string[] = []
  const org = (name: string) => ({
    ...{ orgId: 'own', actor: {} },
    readRows: async () => {
      begun.push(name)
      return []
    },
  })
  const read = (name: string, page: number) =>
    listEvents(org(name) as never, 'own', {} as never, { page, limit: 100 } as never)
  const all = [
    takeTurn('own', () => {
      begun.push('long read')
      return long.promise
    }),
    read('deep page', 90),
    read('first page', 1),
  ]
  // What does not wait has begun then.
  await setImmediate()
  expect(begun).toEqual(['long read', 'first page'])
  long.resolve()
  await Promise.all(all)
  expect(begun).toEqual(['long read', 'first page', 'deep page'])
})
