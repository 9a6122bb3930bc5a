import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { sharedTestApp, type TestApp } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { newMember } from '../support/members.ts'

let app: TestApp
beforeAll(async () => {
  app = await sharedTestApp()
})
afterAll(() => app.close())

test('a person who joins a team while somebody deletes it gets an event for both changes', async () => {
  const org = await app.newOrg()
  const [owner, mate] = [await newMember(app, org.orgId), await newMember(app, org.orgId, 'member')]
  await app.operate((tx) =>
    tx.run(sql`update session set confirmed_at = now() where member_id = ${owner.memberId}`),
  )
  const made = await owner.post('/teams', { name: 'North' })
  expect(made.status, made.text).toBe(201)
  const { team_id } = made.body.data
  const path = `/teams/${team_id}`
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from team where team_id = $1 for update', [team_id])
    const joined = owner.patch(path, { member_ids: [mate.memberId] })
    await untilBlocked(client)
    const deleted = owner.delete(path)
    await untilBlocked(client, 2)
    await client.query('commit')
    expect([(await joined).status, (await deleted).status]).toEqual([200, 204])
  })
  const { data } = (await org.get(`/events?object_id=${mate.memberId}`)).body
  expect(data).toMatchObject([{ changed: ['teams'] }, { changed: ['teams'] }])
})
