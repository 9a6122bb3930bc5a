import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newMember } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the clients of an agency', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterAll(() => browser.close())

  test('a person of an agency sees what each client used, opens a client, and downloads a month', async () => {
    const agency = await browser.app.newOrg({ name: 'Agency', isAgency: true, key: { isAgency: true } })
    const owner = await newMember(browser.app, agency.orgId)
    const opened = await browser.open('/o/ORG/clients', owner)
    const { page } = opened
    await page.getByText('There are no clients yet').waitFor()
    await requireNoFaultsInAllLooks(opened)

    for (const name of ['Northwind', 'A client with a name that is far too long for one line of a phone'])
      await agency.post('/agency/clients', { name })
    const { body } = await agency.get('/agency/clients')
    const northwind = body.data.find((client: { name: string }) => client.name === 'Northwind').org_id
    await agency.post(
      '/contacts',
      { email: 'ada@example.com' },
      { headers: { 'x-target-org-id': northwind } },
    )
    await page.reload()
    const row = page.getByRole('row', { name: /^Northwind/ })
    await row.waitFor()
    await page.getByText('There are no more clients').waitFor()
    await requireNoFaultsInAllLooks(opened)

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^clients-\d{4}-\d\d\.csv$/)
    const text = readFileSync(await download.path(), 'utf8')
    expect(text.split('\r\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^org_id,name,from,to,requests,/),
      expect.stringContaining('Northwind'),
      expect.stringContaining('A client with a name'),
    ])

    const [, before] = await page.getByLabel('Month').locator('option').allTextContents()
    await page.getByLabel('Month').selectOption(before ?? '')
    await expect.poll(() => page.url()).toMatch(/month=\d{4}-\d\d$/)
    await row.getByRole('link', { name: 'Northwind' }).click()
    await page.getByRole('button', { name: 'Northwind' }).waitFor()
    expect(await page.getByRole('link', { name: 'Clients' }).count()).toBe(0)
  })
})
