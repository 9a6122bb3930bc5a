import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { newMember } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('a day of a record', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test.each(['Pacific/Auckland', 'Pacific/Kiritimati', 'Pacific/Honolulu'])(
    'is the same one in %s',
    async (timezoneId) => {
      const org = await browser.app.newOrg({ name: 'Lantern Row' })
      const owner = await newMember(browser.app, org.orgId)
      const { body } = await org.post('/deals', { name: 'Renewal', expected_close_on: '2027-06-30' })
      const { page } = await browser.open(`/o/ORG/deals/${body.data.deal_id}`, owner, async (page) => {
        const devtools = await page.context().newCDPSession(page)
        await devtools.send('Emulation.setTimezoneOverride', { timezoneId })
      })
      const field = page
        .getByRole('definition')
        .filter({ has: page.getByRole('button', { name: 'Edit Expected close' }) })
      await expect.poll(() => field.innerText(), patience).toContain('Jun 30, 2027')
    },
  )
})
