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

test('a deal that shows the first stage for want of its own follows the stages of the org', async () => {
  const org = await app.newOrg()
  const make = async (fields: object) => (await org.post('/deals', fields)).body.data.deal_id as string
  const put = async (...stages: string[]) =>
    expect((await org.send('PUT', '/deals/stages', { body: { stages } })).status).toBe(200)
  const stageOf = async (id: string) => (await org.get(`/deals/${id}`)).body.data.stage
  const check = async () => (await checkViews(app.app.context.database.org(org.orgId))).deviations
  await put('New', 'Demo', 'Sold')
  const survivor = await make({ name: 'A', stage: 'Sold' })
  const loser = await make({ name: 'B', stage: 'Demo' })
  const other = await make({ name: 'C', stage: 'New' })
  const [{ merge_id }] = (await merge(org, 'deal', survivor, loser)) as [{ merge_id: string }]
  await put('New', 'Sold')
  expect((await org.post(`/duplicates/undo-merge/${merge_id}`)).status).toBe(200)
  expect([await stageOf(loser), await check()]).toEqual(['New', []])
  await put('Lead', 'New', 'Sold')
  expect([await stageOf(loser), await stageOf(other), await check()]).toEqual(['Lead', 'New', []])
  await put('Lead', 'New', 'Demo', 'Sold')
  expect([await stageOf(loser), await stageOf(survivor), await check()]).toEqual(['Demo', 'Sold', []])
  const { version } = (await org.get(`/deals/${loser}`)).body.data
  await put('New', 'Lead', 'Demo', 'Sold')
  expect((await org.get(`/deals/${loser}`)).body.data.version).toBe(version)
  const [event] = (await org.get(`/events?object_id=${loser}&type=deal.updated`)).body.data
  expect(event.changed).toEqual(['stage'])
})
