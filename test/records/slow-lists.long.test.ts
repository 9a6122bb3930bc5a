import { afterAll, expect, test } from 'vitest'
import { createLog } from '../../src/platform/log.ts'
import { startTestApp } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'

const app = await startTestApp({ role: 'api' }, undefined, createLog('silent'), { statementTimeoutMs: 500 })
afterAll(() => app.close())

test.each([
  ['list', {}],
  ['search', { q: 'Ada' }],
])('a %s that the database stops because it takes too long is a 400 query_too_slow', async (_what, query) => {
  const org = await app.newOrg()
  const items = Array.from({ length: 500 }, (_, n) => ({ first_name: `Ada ${n}` }))
  await org.post('/contacts/batch', { items })
  const custom = JSON.stringify(Object.fromEntries(Array.from({ length: 4_500 }, (_, n) => [`key${n}`, n])))
  await withClient(app, (client) => client.query('update contact set custom = $1', [custom]))
  const or = Array.from({ length: 99 }, (_, n) => ({ field: `custom.none${n}`, op: 'gt', value: 'x' }))
  const { status, body } = await org.post('/contacts/search', { ...query, filter: { or } })
  expect([status, body.code]).toEqual([400, 'query_too_slow'])
  expect(body.detail).toContain('Send fewer conditions')
})
