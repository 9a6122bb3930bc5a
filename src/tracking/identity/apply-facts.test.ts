import { expect, test } from 'vitest'
import type { Context } from '../../platform/context.ts'
import { OrgBusy } from '../../platform/db/errors.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { applyFacts } from './apply-facts.ts'

test('an organization whose facts cannot be written now does not stop the others', async () => {
  const pages = [
    [
      { orgId: 'busy', payer: 'busy' },
      { orgId: 'other', payer: 'other' },
    ],
  ]
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
