import { afterAll, expect, test } from 'vitest'
import { makeDemoOrg } from '../src/demo/demo-org.ts'
import { startTestApp } from './app.ts'

const app = await startTestApp()
afterAll(() => app.close())

test('the demo org is made once, where there is no org, and its keys work', async () => {
  const made = await Promise.all([1, 2, 3].map(() => app.operate(makeDemoOrg)))
  const [demo, ...more] = made.filter((each) => each !== null)
  expect(more).toEqual([])
  const { orgId, liveToken, testToken, contacts, companies } = demo!

  const org = app.client(liveToken)
  expect((await org.get('/organization')).body.data).toMatchObject({
    org: { org_id: orgId, name: 'Demo' },
    mode: 'live',
  })
  expect((await app.client(testToken).get('/organization')).body.data.mode).toBe('test')
  const listed = (await org.get('/contacts?limit=100')).body
  expect(listed.pagination.total).toBe(contacts)
  expect((await org.get('/companies')).body.pagination.total).toBe(companies)

  const employed = listed.data.find((contact: { company_id: string | null }) => contact.company_id !== null)
  expect((await org.get(`/companies/${employed.company_id}`)).body.data.name).toEqual(expect.any(String))
  const word = employed.last_name ?? employed.first_name
  expect((await org.get(`/contacts?q=${encodeURIComponent(word)}`)).body.pagination.total).toBeGreaterThan(0)
})

test('none is made where there is an org', async () => {
  await app.newOrg()
  expect(await app.operate(makeDemoOrg)).toBe(null)
})
