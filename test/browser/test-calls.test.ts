import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newMember } from '../support/members.ts'
import { place, simulatedCalls } from '../support/simulated-calls.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('calls of test mode in the console', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterAll(() => browser.close())

  test('the list of calls and the check of a call tell a call of test mode from a live call', async () => {
    const org = await simulatedCalls(browser.app).caller()
    const tester = await browser.app.newKey(org.orgId, { mode: 'test' })
    expect((await place(org)).body.mode).toBe('live')
    expect((await place(tester, { to_number: '+12025550101' })).body.mode).toBe('test')
    const opened = await browser.open('/o/ORG/calls', await newMember(browser.app, org.orgId))
    const { page } = opened
    const rows = page.getByRole('table', { name: 'Calls', exact: true }).getByRole('row')
    const marked = rows.filter({ has: page.getByText('test', { exact: true }) })
    await marked.filter({ hasText: '+1 202 555 0101' }).waitFor()
    expect(await marked.count()).toBe(1)
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('button', { name: 'Place a call' }).first().click()
    await page.getByLabel('Number to call').fill('+1 202 555 0101')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('a test: no phone rang').waitFor()
  })
})
