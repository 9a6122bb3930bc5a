import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { importCsv } from '../support/csv-imports.ts'
import { newMember } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()
/** The sizes of a sheet of A4 in CSS pixels. */
const [short, long] = [794, 1123]

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0

describe.runIf(chromium)('printed pages of the console', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('the page of a deal is printed completely, in both orientations of the paper', async () => {
    const org = await browser.app.newOrg()
    const owner = await newMember(browser.app, org.orgId)
    const { data: deal } = (await org.post('/deals', { name: 'Long deal' })).body
    for (let n = 1; n <= 12; n++) {
      const text = `Note ${n}\n\n${'- a point\n'.repeat(8)}`
      const about = { entity_type: 'deal', record_id: deal.deal_id }
      expect((await org.post('/notes', { ...about, text })).status).toBe(201)
    }
    const { page } = await browser.open(`/o/ORG/deals/${deal.deal_id}`, owner)
    await page.getByText('Note 12').first().waitFor()
    // The notes become lists when the reader of Markdown is loaded.
    await expect.poll(() => page.locator('main li').count(), patience).toBeGreaterThanOrEqual(12 * 8)
    await page.emulateMedia({ media: 'print' })
    for (const [width, height] of [
      [short, long],
      [long, short],
    ] as const) {
      await page.setViewportSize({ width, height })
      // What scrolls inside the page is not printed.
      const hidden = await page.evaluate(() =>
        [...document.querySelectorAll('main, main *')]
          .filter((one) => one.clientHeight > 1 && one.scrollHeight > one.clientHeight + 1)
          .filter((one) => getComputedStyle(one).overflowY !== 'visible')
          .map(({ className }) => className),
      )
      expect(hidden).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(2 * height)
      expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
    }
  })

  test('all loaded rows of a list are printed, and the paper says how to get the others', async () => {
    const org = await browser.app.newOrg()
    const owner = await newMember(browser.app, org.orgId)
    const names = Array.from({ length: 120 }, (_, n) => `Person ${n + 1}`)
    await importCsv(org, ['last_name', ...names].join('\n'))
    const { page, context } = await browser.open('/o/ORG/people', owner)
    await page.getByRole('row').nth(20).waitFor()
    const rest = page.getByText('The first 100 of 120 rows are printed. “Export” has all of them.')
    expect(await rest.isVisible()).toBe(false)
    // On paper the list is taller, and would read its other rows.
    await context.setOffline(true)
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBeGreaterThan(2)
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('row').count()).toBe(101)
    expect(await rest.isVisible()).toBe(true)
  })
})
