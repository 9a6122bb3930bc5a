import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newMember } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the list of numbers that are never called', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const openList = async () => {
    const org = await browser.app.newOrg()
    const member = await newMember(browser.app, org.orgId)
    const opened = await browser.open('/o/ORG/calls/suppressions', member)
    const dialog = opened.page.getByRole('dialog')
    const numbers = async () =>
      (await org.get('/voice/suppressions')).body.data.map(({ number }: { number: string }) => number).sort()
    return { ...opened, opened, dialog, numbers }
  }

  test('many numbers are pasted; the lines that cannot be read are named', async () => {
    const { opened, page, dialog, numbers } = await openList()
    await page.getByRole('button', { name: 'Import' }).click()
    const area = dialog.getByLabel('Numbers, one on each line')
    await area.and(page.locator(':focus')).waitFor()
    expect(await dialog.getByRole('button', { name: 'Import' }).isDisabled()).toBe(true)
    await area.fill(
      '+1 202 555 0148\n12\n+1 202 555 0149\n\n+1 202 555 0148\n+1 202 555 0150, asked by mail\n',
    )
    await requireNoFaultsInAllLooks(opened)
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog
      .getByText('2 numbers were added. 1 number was on the list already. 2 lines were refused.')
      .waitFor()
    // The lines show their text: the pasted text is lost when the dialog closes.
    await dialog.getByRole('row', { name: /^2 12 This is not a valid phone number/ }).waitFor()
    await dialog
      .getByRole('row', { name: /^6 \+1 202 555 0150, asked by mail This is not a valid/ })
      .waitFor()
    await requireNoFaultsInAllLooks(opened)
    // Nothing is left to save, so that Escape does not ask.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: '+1 202 555 0149' }).waitFor()
    expect(await numbers()).toEqual(['+12025550148', '+12025550149'])
  })

  test('a number that cannot be read is refused, and its field gets the focus', async () => {
    const { page, dialog } = await openList()
    await page.getByRole('button', { name: 'Add a number' }).first().click()
    const field = dialog.getByLabel('Number')
    await field.fill('12')
    await dialog.getByRole('button', { name: 'Add number' }).click()
    await dialog.getByText(/is not a valid phone number/).waitFor()
    await field.and(page.locator(':focus')).waitFor()
  })

  test('an export can be imported, and a file with other columns is refused', async () => {
    const { opened, page, dialog, numbers } = await openList()
    const choose = async (name: string, text: string) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        dialog.getByRole('button', { name: /Choose/ }).click(),
      ])
      // Excel's media type: Windows gives it to CSV files.
      const file = { name, mimeType: 'application/vnd.ms-excel', buffer: Buffer.from(text) }
      await chooser.setFiles(file)
      await dialog.getByText(name).waitFor()
    }
    await page.getByRole('button', { name: 'Import' }).click()
    await choose('other.csv', 'phone\n+12025550148\n')
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog.getByText(/^The header must name/).waitFor()
    expect(await numbers()).toEqual([])
    await choose('list.csv', 'number,reason\n+12025550148,Asked not to be called\n+12025550149,\n')
    await dialog.getByRole('button', { name: 'Import' }).click()
    await page.getByText('2 numbers were added.').waitFor()
    await page.getByRole('row', { name: 'Asked not to be called' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^never-called-\d{4}-\d\d-\d\d\.csv$/)
    const exported = await readFile(await download.path(), 'utf8')
    await page.getByRole('button', { name: 'Import' }).click()
    await choose('export.csv', exported)
    await dialog.getByRole('button', { name: 'Import' }).click()
    await page.getByText('No number was added. 2 numbers were on the list already.').waitFor()
    await requireNoFaults(opened)
  })
})
