import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, comeBack } from '../support/console.ts'
import { requireNoFaults } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the dialog that closes a deal', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let ada: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    ada = await newMember(browser.app, org.orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('says so if the chosen reason was archived meanwhile, and closes the deal with another one', async () => {
    // Reasons for both endings: a deal may be closed without one.
    const { close_reasons: usual } = (await org.get('/deals/close-reasons')).body.data
    for (const { close_reason_id: id } of usual) await org.post(`/deals/close-reasons/${id}/archive`)
    const newReason = async (label: string): Promise<string> =>
      (await org.post('/deals/close-reasons', { label, outcome: 'any' })).body.data.close_reason_id
    const [slow, price] = [await newReason('Too slow'), await newReason('Price')]
    const { deal_id: dealId } = (await org.post('/deals', { name: 'Migration' })).body.data
    const opened = await browser.open(`/o/ORG/deals/${dealId}`, ada)
    const { page } = opened
    await page.getByRole('button', { name: 'Lost', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Close “Migration”' })
    const reason = dialog.getByLabel('Reason')
    const close = dialog.getByRole('button', { name: 'Close as lost' })
    await reason.selectOption('Too slow')
    await org.post(`/deals/close-reasons/${slow}/archive`)
    await close.click()
    await dialog.getByText('“Too slow” is no longer a reason for lost deals. Choose another one').waitFor()
    expect(await close.isDisabled()).toBe(true)
    await requireNoFaults(opened)
    await reason.selectOption('Price')
    await org.patch(`/deals/close-reasons/${price}`, { outcome: 'won' })
    // The list may be read again before the person presses the button.
    await comeBack(page, '/deals/close-reasons', '"won"')
    await dialog.getByText('“Price” is no longer a reason for lost deals').waitFor()
    expect(await close.isDisabled()).toBe(true)
    expect((await org.get(`/deals/${dealId}`)).body.data.status).toBe('open')
    await dialog.getByRole('radio', { name: 'Won' }).check()
    await dialog.getByRole('button', { name: 'Close as won' }).click()
    const read = async () => (await org.get(`/deals/${dealId}`)).body.data
    await expect.poll(read, patience).toMatchObject({ status: 'won', close_reason_id: price })
  })
})
