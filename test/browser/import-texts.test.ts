import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { newMember } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the texts of an import', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterAll(() => browser.close())

  test('samples that do not fit end with an ellipsis, and the check says what the download has and what cannot be read', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const { page } = await browser.open('/o/ORG/imports/new', await newMember(browser.app, org.orgId))
    const long = 'a.very.long.address.of.a.department.with.many.words'
    const rows = Array.from({ length: 3 }, (_, n) => `Ada,${long}.${n}@fair.example`).join('\n')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose a file', exact: true }).click(),
    ])
    const buffer = Buffer.from(`Given name,Mail\n${rows}\nBo,x@fair.example,too many\nCy,none\n`)
    await chooser.setFiles({ name: 'long.csv', mimeType: 'text/csv', buffer })
    const cell = page.getByRole('row', { name: /Mail/ }).getByRole('cell').last()
    await cell.getByText(long).waitFor()
    const shown = await cell.evaluate((cell) => {
      const { overflow, textOverflow } = getComputedStyle(cell)
      return { overflow, textOverflow, isCut: cell.scrollWidth > cell.clientWidth }
    })
    expect(shown).toEqual({ overflow: 'hidden', textOverflow: 'ellipsis', isCut: true })
    await page.getByRole('button', { name: 'Check the rows', exact: true }).click()
    await page
      .getByText('The download has their lines and reasons, so that you can correct your file.')
      .waitFor()
    await page.getByText('1 person has an e-mail address or a phone number that cannot be read.').waitFor()
    expect(await page.getByText('choose their country').count()).toBe(0)
  })

  test('the check suggests to choose the country of phone numbers that cannot be read', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const { page } = await browser.open('/o/ORG/imports/new', await newMember(browser.app, org.orgId))
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose a file', exact: true }).click(),
    ])
    const buffer = Buffer.from('First name,Phone\nAda,030 901820\nBo,030 901821\n')
    await chooser.setFiles({ name: 'berlin.csv', mimeType: 'text/csv', buffer })
    const check = page.getByRole('button', { name: 'Check the rows', exact: true })
    await check.click()
    await page.getByText('go back to the columns and choose their country').waitFor()
    await page.getByRole('button', { name: 'Back to the columns' }).click()
    await page.getByLabel('Phone numbers without country code are from').selectOption('DE')
    await check.click()
    await page.getByRole('heading', { name: '2 people are ready.' }).waitFor()
    expect(await page.getByText('that cannot be read').count()).toBe(0)
  })

  test('a person says what numbers with one sign and days with slashes mean', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    for (const [label, type] of [
      ['Revenue', 'number'],
      ['Renewal', 'date'],
    ])
      await org.post('/fields', { entity: 'contact', key: label!.toLowerCase(), label, type })
    const { page } = await browser.open('/o/ORG/imports/new', await newMember(browser.app, org.orgId))
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose a file', exact: true }).click(),
    ])
    const buffer = Buffer.from('First name;Revenue;Renewal\nAda;1.234;03/04/2026\n')
    await chooser.setFiles({ name: 'revenue.csv', mimeType: 'text/csv', buffer })
    await page.getByLabel('Decimals of numbers').selectOption('After a comma: 1.234,5')
    await page.getByLabel('Days with slashes').selectOption('Month first: 01/31/2026')
    await page.getByRole('button', { name: 'Check the rows', exact: true }).click()
    await page.getByRole('heading', { name: '1 person is ready.' }).waitFor()
    await page.getByRole('button', { name: /^Import/ }).click()
    await expect
      .poll(async () => (await org.get('/contacts')).body.data[0]?.custom, { timeout: 20_000 })
      .toEqual({ revenue: 1234, renewal: '2026-03-04' })
  })
})
