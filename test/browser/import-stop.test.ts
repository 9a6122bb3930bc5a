import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, inNewBrowser } from '../support/console.ts'
import { newMember } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('an import whose upload is stopped', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('after the server had the whole file is not imported twice, and the page says that it may run', async () => {
    const org = await browser.app.newOrg()
    const owner = await newMember(browser.app, org.orgId)
    const { page } = await browser.open('/o/ORG/imports/new', owner, inNewBrowser)
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose a file' }).click(),
    ])
    const buffer = Buffer.from('First name\nAda\nGrace\n')
    await chooser.setFiles({ name: 'fair.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Check the rows' }).click()
    const act = page.getByRole('button', { name: 'Import 2 people' })
    await act.waitFor()
    const arrived = Promise.withResolvers<void>()
    let isHeld = true
    await page.route('**/contacts/imports?*', async (route) => {
      if (!isHeld) return route.continue()
      await route.fetch()
      arrived.resolve()
    })
    await act.click()
    await arrived.promise
    isHeld = false
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('If Crosswalk had the whole file already, it imports it').waitFor()
    await act.click()
    await page.getByRole('heading', { name: '2 people are imported.' }).waitFor()
    expect((await org.get('/imports?dry_run=false')).body.data).toHaveLength(1)
    expect((await org.get('/contacts')).body.pagination.total).toBe(2)
  })
})
