import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { createRecords, findAmong, rowsOf } from '../support/finding.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const path = '/duplicates/settings/preview'
const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@preview.example' }
const grace = { first_name: 'Grace', last_name: 'Hopper', phone: '+14155550100' }

test('a preview tells what other settings would have done last week, and changes nothing', async () => {
  const org = await app.newOrg()
  const ids = await createRecords(org, 'contact', ada, ada, grace, grace, {
    first_name: 'Ralph',
    last_name: 'King',
    email: ada.email,
  })
  await findAmong(app, org, 'contact', ids)
  const before = await rowsOf(org, 'shadow')
  const dismissed = before.find(({ rule }) => rule === 'same_phone_and_name')
  await org.post(`/duplicates/shadow/${dismissed?.merge_id}/dismiss`)

  const auto = await org.post(path, { contact: { mode: 'auto' } })
  const { contact, company } = auto.body.data
  expect(company).toBe(null)
  expect(contact).toMatchObject({
    before: { merged: 0, proposed: before.length, left: 0 },
    after: { merged: 2, proposed: before.length - 2, left: 0 },
    // Somebody said that these two are different.
    contradicted: 1,
    incomplete_because: [],
  })
  expect(contact.changes).toHaveLength(2)
  expect(contact.changes[0]).toMatchObject({
    before: 'propose',
    after: 'merge',
    survivor_name: 'Ada Lovelace',
  })
  const ruleOf = (name: string | null) =>
    contact.rules.find(({ rule }: { rule: string | null }) => rule === name)
  expect(ruleOf('same_email_and_name').after).toEqual({ merged: 1, proposed: 0, left: 0 })
  expect(ruleOf('same_linkedin').after).toEqual({ merged: 0, proposed: 0, left: 0 })

  const off = await org.post(path, {
    contact: { rules: { same_phone_and_name: 'off' }, review_threshold: 1, auto_threshold: 1 },
  })
  expect(off.body.data.contact).toMatchObject({ after: { merged: 0, left: 1 }, contradicted: 0 })
  const lower = await org.post(path, { contact: { review_threshold: 0.5 } })
  expect(lower.body.data.contact.incomplete_because).toEqual(['lower_review_threshold'])
  expect((await org.get('/duplicates/settings')).body.data.contact.mode).toBe('shadow')
  expect(await rowsOf(org, 'shadow')).toHaveLength(before.length - 1)
})

test('a preview refuses settings that a change would refuse, and needs the right to read the records', async () => {
  const org = await app.newOrg()
  for (const [body, loc] of [
    [{ deal: { mode: 'auto' } }, ['body', 'deal', 'mode']],
    [{ contact: { auto_threshold: 0.5 } }, ['body', 'contact', 'auto_threshold']],
  ] as const) {
    const { status, body: answer } = await org.post(path, body)
    expect([status, answer.detail[0].loc]).toEqual([422, loc])
  }
  const reader = await app.newKey(org.orgId, { permissions: ['duplicates:read', 'contacts:read'] })
  expect((await reader.post(path, { contact: {} })).status).toBe(200)
  expect((await reader.post(path, { company: {} })).status).toBe(403)
})
