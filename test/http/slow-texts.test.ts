import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

/** Runs `work`, and returns how many seconds of processor time this process used. */
async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

// Each of these texts kept the thread for seconds, or for hours.

test('an If-None-Match with many blanks between two tags is read in little time', async () => {
  const headers = { 'if-none-match': `a${' '.repeat(15_000)}b` }
  const read = async () => {
    const answer = await fetch(`${app.address}/guides`, { headers })
    expect(answer.status).toBe(200)
    await answer.arrayBuffer()
  }
  await read()
  const used = await secondsOf(async () => {
    for (let n = 0; n < 20; n++) await read()
  })
  expect(used).toBeLessThan(2)
})

test('a header of 60,000 characters is not taken for an e-mail address, and the file is inspected', async () => {
  const org = await app.newOrg()
  const csv = `${'@'.repeat(20_000)}${'.'.repeat(40_000)} x\nhello\n`
  const { status, body } = await org.post('/contacts/imports/inspect', { csv })
  expect([status, body.data.has_header]).toEqual([200, true])
})

test('a type of event that has thousands of dots before a line break is refused', async () => {
  const org = await app.newOrg()
  const dots = '.'.repeat(12_000)
  expect((await org.get(`/events?type=${dots}%0Ax`)).status).toBe(422)
  const types = [`${dots.repeat(40)}\nx`]
  expect((await org.post('/webhooks/endpoints', { url: 'https://x.example', types })).status).toBe(422)
})
