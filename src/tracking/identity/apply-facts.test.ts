import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Context } from '../../platform/context.ts'
import { OrgBusy } from '../../platform/db/errors.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { applyFacts } from './apply-facts.ts'

test('an organization whose facts cannot be written now does not stop the others', async () => {
  const pages = [[{ org_id: 'busy' }, { org_id: 'other' }]]
  const scope = { readRows: () => Promise.resolve(pages.shift() ?? []) } as unknown as SystemScope
  const written: string[] = []
  const org = (orgId: string) => ({
    transact: () => {
      if (orgId === 'busy') return Promise.reject(new OrgBusy('All connections are in use'))
      written.push(orgId)
      return Promise.resolve([])
    },
  })
  await expect(applyFacts(scope, { database: { org } } as unknown as Context)).rejects.toThrow(OrgBusy)
  expect(written).toEqual(['other'])
})

test('an organization with more facts than a turn writes lets other work run for as long as its turn took', async () => {
  const turnMs = 100
  const askedAt: number[] = []
  const pages = [[{ org_id: 'a' }], [{ org_id: 'a' }]]
  const scope = {
    readRows: () => {
      askedAt.push(performance.now())
      return Promise.resolve(pages.shift() ?? [])
    },
  } as unknown as SystemScope
  const lists = [Array(100).fill({ mode: 'live' }), []]
  const tx = {
    first: () => Promise.resolve(undefined),
    run: () => Promise.resolve(0),
    rows: () => sleep(turnMs, lists.shift()),
  }
  const org = () => ({ transact: (act: (tx: unknown) => unknown) => act(tx) })
  await applyFacts(scope, { database: { org } } as unknown as Context)
  expect(askedAt).toHaveLength(3)
  // A timer can fire a few milliseconds early.
  expect(askedAt[1]! - askedAt[0]!).toBeGreaterThan(2 * turnMs - 10)
})
