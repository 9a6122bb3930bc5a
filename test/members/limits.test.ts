import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
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
  // Stop the limiter's clock: a busy machine needs seconds for these requests.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const sent = members.flatMap((member) => Array.from({ length: 20 }, () => member.get('/organization')))
  const answers = Object.groupBy(await Promise.all(sent), ({ status }) => status)
  expect(answers['200']).toHaveLength(100)
  expect(answers['429']).toHaveLength(200)
  expect(new Set(answers['429']?.map(({ body }) => body.code))).toEqual(new Set(['rate_limit_exceeded']))
  expect((await neighbor.get('/organization')).status).toBe(200)
})

test('a member sends at most 50 requests a second, enough for a home page and two other pages', async () => {
  const member = await newMember(app, (await app.newOrg()).orgId)
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const sent = Array.from({ length: 60 }, () => member.get('/organization'))
  const answers = Object.groupBy(await Promise.all(sent), ({ status }) => status)
  expect(answers['200']).toHaveLength(50)
  expect(answers['429']).toHaveLength(10)
})
