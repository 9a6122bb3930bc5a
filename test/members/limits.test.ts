import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { newMember } from '../support/members.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('all members of one organization together send at most 100 requests a second', async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const members = await Promise.all(Array.from({ length: 15 }, () => newMember(app, org.orgId)))
  const neighbor = await newMember(app, other.orgId)
  const begun = performance.now()
  const sent = members.flatMap((member) => Array.from({ length: 20 }, () => member.get('/organization')))
  const answers = await Promise.all(sent)
  const seconds = (performance.now() - begun) / 1000
  const accepted = answers.filter(({ status }) => status === 200).length
  expect(accepted).toBeGreaterThanOrEqual(100)
  expect(accepted).toBeLessThanOrEqual(100 * (seconds + 1))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
    new Set(['429 rate_limit_exceeded']),
  )
  expect((await neighbor.get('/organization')).status).toBe(200)
})
