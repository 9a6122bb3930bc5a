import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

test('a contact that was created is listed', async () => {
  const org = await app.newOrg()
  const created = await org.post('/contacts', { email: 'ada@example.com' })
  expect(created.status).toBe(201)
  const listed = await org.get('/contacts')
  expect(listed.body.data).toEqual([created.body.data])
})
