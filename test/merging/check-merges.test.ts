import { afterAll, expect, test } from 'vitest'
import { checkMergedRecords } from '../../src/duplicates/check-merged-records.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { merge } from '../support/merges.ts'

const app = await startTestApp()
afterAll(() => app.close({ leavesJobs: true }))

test('the check of merges finds rows that were changed with direct SQL', async () => {
  const org = await app.newOrg()
  const make = async (path: string, fields: object) => (await org.post(path, fields)).body.data
  const x = (await make('/companies', { name: 'X' })).company_id
  const y = (await make('/companies', { name: 'Y' })).company_id
  const a = (await make('/contacts', { first_name: 'A', tags: ['a'], company_id: y })).contact_id
  const b = (await make('/contacts', { first_name: 'B', tags: ['b'], city: 'Oslo' })).contact_id
  const c = (await make('/contacts', { first_name: 'C', company_id: y })).contact_id
  await merge(org, 'company', x, y)
  await merge(org, 'contact', a, b)
  const check = () => checkMergedRecords(app.app.context.database.org(org.orgId))
  expect(await check()).toEqual({ checked: 2, deviations: [] })
  const contact = (id: string, set: string) => `update contact set ${set} where contact_id = '${id}'`
  const spoilt: [spoil: string, wrong: object, mend: string][] = [
    [contact(a, `city = 'Bern'`), { record_id: a, wrong: ['city'] }, contact(a, `city = 'Oslo'`)],
    [contact(a, `tags = '{a}'`), { record_id: a, wrong: ['tags', 'keys'] }, contact(a, `tags = '{a,b}'`)],
    [
      contact(c, `company_id = '${y}'`),
      { record_id: c, wrong: ['company_id'] },
      contact(c, `company_id = '${x}'`),
    ],
    [
      contact(b, `merged_into_id = '${c}'`),
      { record_id: b, wrong: ['merged_into_id'] },
      contact(b, `merged_into_id = '${a}'`),
    ],
    [`delete from contact_key where contact_id = '${a}'`, { record_id: a, wrong: ['keys'] }, ''],
  ]
  for (const [spoil, wrong, mend] of spoilt) {
    await runAsOwner(app.databaseUrl, spoil)
    expect((await check()).deviations, spoil).toContainEqual({ entity_type: 'contact', ...wrong })
    await runAsOwner(app.databaseUrl, mend)
    if (mend) expect((await check()).deviations, mend).toEqual([])
  }
})

test('a merged deal whose stage was removed shows the first stage of the organization', async () => {
  const org = await app.newOrg()
  const make = async (fields: object) => (await org.post('/deals', fields)).body.data.deal_id as string
  const put = async (...stages: string[]) =>
    expect((await org.send('PUT', '/deals/stages', { body: { stages } })).status).toBe(200)
  const stageOf = async (id: string) => (await org.get(`/deals/${id}`)).body.data.stage
  const check = async () => (await checkMergedRecords(app.app.context.database.org(org.orgId))).deviations
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
