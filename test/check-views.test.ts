import { afterAll, expect, test } from 'vitest'
import { checkViews } from '../src/duplicates/check-views.ts'
import { startTestApp } from './app.ts'
import { withClient } from './direct-sql.ts'
import { merge } from './merges.ts'

const app = await startTestApp()
afterAll(() => app.close({ leavesJobs: true }))

test('what somebody changed behind the back of the facts is found', async () => {
  const org = await app.newOrg()
  const make = async (path: string, fields: object) => (await org.post(path, fields)).body.data
  const x = (await make('/companies', { name: 'X' })).company_id
  const y = (await make('/companies', { name: 'Y' })).company_id
  const a = (await make('/contacts', { first_name: 'A', tags: ['a'], company_id: y })).contact_id
  const b = (await make('/contacts', { first_name: 'B', tags: ['b'], city: 'Oslo' })).contact_id
  const c = (await make('/contacts', { first_name: 'C', company_id: y })).contact_id
  await merge(org, 'company', x, y)
  await merge(org, 'contact', a, b)
  const check = () => checkViews(app.app.context.database.org(org.orgId))
  expect(await check()).toEqual({ checked: 2, deviations: [] })
  const spoil: [string, object][] = [
    [`update contact set city = 'Bern' where contact_id = '${a}'`, { record_id: a, wrong: ['city'] }],
    [
      `update contact set city = 'Oslo', tags = '{a}' where contact_id = '${a}'`,
      { record_id: a, wrong: ['tags', 'keys'] },
    ],
    [
      `update contact set company_id = '${y}' where contact_id = '${c}'`,
      { record_id: c, wrong: ['company_id'] },
    ],
    [`update contact set company_id = '${x}' where contact_id = '${c}'`, {}],
    [`update contact set tags = '{a,b}' where contact_id = '${a}'`, {}],
    [`delete from contact_key where contact_id = '${a}'`, { record_id: a, wrong: ['keys'] }],
    [
      `update contact set merged_into_id = '${c}' where contact_id = '${b}'`,
      { record_id: b, wrong: ['merged_into_id'] },
    ],
  ]
  for (const [sql, wrong] of spoil) {
    await withClient(app, (client) => client.query(sql))
    const { deviations } = await check()
    if (Object.keys(wrong).length > 0)
      expect(deviations, sql).toContainEqual({ entity_type: 'contact', ...wrong })
  }
})
