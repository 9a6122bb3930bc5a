import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { takeTurn } from '../../platform/db/turns.ts'
import { recentRequests } from '../../platform/recent-requests.ts'
import { clientUsageEndpoints } from './routes.ts'

test.each(['/agency/usage', '/agency/usage/totals', '/agency/usage/export'])(
  'while the process also serves others, %s waits for a long read of the agency',
  async (path) => {
    recentRequests.note({ payerId: 'other', orgId: 'other' })
    const long = Promise.withResolvers<void>()
    const begun: string[] = []
    const org = {
      readRows: async () => {
        begun.push('usage')
        throw new Error('the test needs no rows')
      },
    }
    const usage = clientUsageEndpoints.find((endpoint) => endpoint.path === path)
    // An export reads when its first piece is sent.
    const read = async (request: never) => {
      const answer = (await usage!.handle(request)) as { pieces?: AsyncGenerator<string> }
      return answer.pieces?.next()
    }
    const all = [
      takeTurn('agency', () => {
        begun.push('long read')
        return long.promise
      }),
      read({ caller: { payerId: 'agency' }, context: {}, org, query: {} } as never),
    ]
    // What does not wait has begun then.
    await setImmediate()
    expect(begun).toEqual(['long read'])
    long.resolve()
    await Promise.allSettled(all)
    expect(begun).toEqual(['long read', 'usage'])
  },
)
