import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { firstOfAreas } from '../support/first-of-areas.ts'
import { newMember } from '../support/members.ts'
import { testOtherOrganizations, withIds } from './each-id.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

// The other endpoints: other-organizations.long.test.ts.
await testOtherOrganizations(firstOfAreas(withIds))

test('an owner revokes no link of another organization', async () => {
  const [owner, stranger] = [
    await newMember(app, (await app.newOrg()).orgId),
    await newMember(app, (await app.newOrg()).orgId),
  ]
  const made = await owner.post('/members/invites', { email: 'ada@acme.example', role: 'viewer' })
  const { link_id: id } = made.body.data
  expect((await stranger.delete(`/members/links/${id}`)).status).toBe(404)
  expect((await owner.delete(`/members/links/${id}`)).status).toBe(204)
})
