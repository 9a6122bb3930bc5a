import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { createRecords, findAmong, rowOf } from '../support/finding.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const ada = { first_name: 'Ada', last_name: 'Lovelace' }
const email = 'ada@engine.example'

test('a person can choose the record that stays and the value of a field, and a wrong choice gets 422', async () => {
  const org = await app.newOrg()
  const ids = await createRecords(
    org,
    'contact',
    { ...ada, email, job_title: 'Countess' },
    { ...ada, email, job_title: 'Analyst' },
  )
  await findAmong(app, org, 'contact', ids)
  const shadow = await rowOf(org, 'shadow')
  const apply = (body: object) => org.post(`/duplicates/shadow/${shadow.merge_id}/apply`, body)
  const stranger = shadow.merge_id
  expect((await apply({ survivor_id: stranger })).status).toBe(404)
  for (const [body, loc] of [
    [{ field_choices: { job_title: stranger } }, ['body', 'field_choices', 'job_title']],
    [{ field_choices: { shoe_size: ids[0] } }, ['body', 'field_choices', 'shoe_size']],
  ] as const) {
    const { status, body: answer } = await apply(body)
    expect([status, answer.detail[0].loc]).toEqual([422, loc])
  }
  const { body } = await apply({ survivor_id: ids[1], field_choices: { job_title: ids[0] } })
  expect(body.data).toMatchObject({ survivor_id: ids[1], loser_id: ids[0], rule: 'same_email_and_name' })
  expect((await org.get(`/contacts/${ids[0]}`)).body.data).toMatchObject({
    contact_id: ids[1],
    job_title: 'Countess',
  })
})

test('a dismissal can be taken back once, and the engine closes the proposal if the two no longer match', async () => {
  const org = await app.newOrg()
  const ids = await createRecords(org, 'contact', { ...ada, email }, { ...ada, email })
  await findAmong(app, org, 'contact', ids)
  const { merge_id: mergeId } = await rowOf(org, 'shadow')
  const answer = (what: string) => org.post(`/duplicates/shadow/${mergeId}/${what}`)
  expect((await answer('reopen')).body.detail).toBe('This proposal is open: apply it or dismiss it')
  await answer('dismiss')
  const listed = await org.get('/duplicates/recent-merges?status=dismissed')
  expect(listed.body.data.map((row: { merge_id: string }) => row.merge_id)).toEqual([mergeId])
  const reader = await app.newKey(org.orgId, { permissions: ['duplicates:*', 'contacts:read'] })
  expect((await reader.post(`/duplicates/shadow/${mergeId}/reopen`)).status).toBe(403)
  const answers = await Promise.all([answer('reopen'), answer('reopen')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await rowOf(org, 'shadow')).toMatchObject({ merge_id: mergeId, status: 'shadow' })
  const { body: events } = await org.get('/events?type=merge.reopened')
  expect(events.data).toEqual([
    expect.objectContaining({ object_id: mergeId, data: { survivor_id: ids[0], loser_id: ids[1] } }),
  ])
  expect(await findAmong(app, org, 'contact', ids)).toEqual({ opened: 0, closed: 0, merged: 0 })
  await org.patch(`/contacts/${ids[1]}`, { email: 'else@other.example', first_name: 'Grace' })
  expect(await findAmong(app, org, 'contact', ids)).toMatchObject({ closed: 1 })
})
