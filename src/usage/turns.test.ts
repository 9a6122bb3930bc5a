import { expect, test } from 'vitest'
import { takeTurn } from '../platform/db/turns.ts'
import { recentRequests } from '../platform/recent-requests.ts'
import { usageEndpoints } from './routes.ts'

test('while the process also serves others, the usage waits for a long read of the organization', async () => {
  recentRequests.note({ payerId: 'other', orgId: 'other' })
  const long = Promise.withResolvers<void>()
  const begun: string[] = []
  const org = {
    read: async () => {
      begun.push('usage')
      return { series: [] }
    },
  }
  const [usage] = usageEndpoints
  const all = [
    takeTurn('org', () => {
      begun.push('long read')
      return long.promise
    }),
    usage!.handle({ caller: { payerId: 'org:members' }, org, query: {} } as never),
  ]
  expect(begun).toEqual(['long read'])
  long.resolve()
  await Promise.all(all)
  expect(begun).toEqual(['long read', 'usage'])
})
