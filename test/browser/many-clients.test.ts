import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { runAsOwner } from '../support/database.ts'
import { newMember } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('an agency with many clients', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterAll(() => browser.close())

  test('the console draws some of the clients, and finds each by its name or id', async () => {
    const agency = await browser.app.newOrg({ name: 'Agency', isAgency: true, key: { isAgency: true } })
    const owner = await newMember(browser.app, agency.orgId)
    await runAsOwner(
      browser.app.databaseUrl,
      `with made as (
         insert into org (org_id, name)
         select gen_random_uuid(), case when n <= 2 then 'Contoso' when n = 3 then 'O’Brien & Söhne' else 'Number ' || n end
         from generate_series(1, 253) n returning org_id)
       insert into agency_client (agency_org_id, client_org_id) select $1, org_id from made`,
      [agency.orgId],
    )
    const [{ org_id: contoso }] = (await runAsOwner<{ org_id: string }>(
      browser.app.databaseUrl,
      `select org_id from org where name = 'Contoso' limit 1`,
    )) as [{ org_id: string }]
    const opened = await browser.open('/o/ORG/clients?sort=-name', owner)
    const { page } = opened
    const rows = page.getByRole('row')
    await page.getByText('253 of 253 clients').waitFor()
    expect(await rows.count()).toBe(201)
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('button', { name: 'Show more clients' }).click()
    await expect.poll(() => rows.count(), patience).toBe(254)
    await page.getByLabel('Search clients').fill('number')
    await page.getByText('250 of 253 clients').waitFor()
    expect(await rows.count()).toBe(201)
    for (const [typed, found] of [
      ["o'brien & sohne", 'O’Brien & Söhne'],
      [` ${contoso} `, `Contoso …${contoso.slice(-4)}`],
      [contoso.slice(-4), `Contoso …${contoso.slice(-4)}`],
      [contoso.toUpperCase(), `Contoso …${contoso.slice(-4)}`],
    ] as const) {
      await page.getByLabel('Search clients').fill(typed)
      await page.getByText('1 of 253 clients').waitFor()
      await page.getByRole('row', { name: found }).waitFor()
    }

    await page.getByRole('button', { name: 'Agency' }).first().click()
    const menu = page.getByRole('dialog')
    await menu.getByPlaceholder('Find one of 254 organizations').waitFor()
    expect(await menu.getByRole('option').count()).toBe(50)
    for (const [typed, found] of [
      ['number 253', 'Number 253'],
      ["o'brien", 'O’Brien & Söhne'],
      [contoso, `Contoso …${contoso.slice(-4)}`],
    ] as const) {
      await menu.getByRole('searchbox').fill(typed)
      await expect.poll(() => menu.getByRole('option').count(), patience).toBe(1)
      await menu.getByRole('option', { name: found }).waitFor()
    }
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname.includes(contoso))
  })

  test('while another month loads, no number of the month before is shown', async () => {
    const agency = await browser.app.newOrg({ name: 'Agency', isAgency: true, key: { isAgency: true } })
    const owner = await newMember(browser.app, agency.orgId)
    await agency.post('/agency/clients', { name: 'Northwind' })
    const answers = Promise.withResolvers<void>()
    const { page } = await browser.open('/o/ORG/clients', owner)
    const row = page.getByRole('row', { name: /^Northwind/ })
    await row.waitFor()
    const changes = page.locator('dl > div', { hasText: 'Changes' })
    // A new client begins with two events.
    await expect.poll(() => changes.innerText(), patience).toMatch(/2$/)
    await page.route(/agency\/usage/, async (route) => {
      await answers.promise
      await route.continue()
    })
    const [, before] = await page.getByLabel('Month').locator('option').allTextContents()
    await page.getByLabel('Month').selectOption(before ?? '')
    await row.waitFor({ state: 'detached' })
    expect(await changes.count()).toBe(0)
    answers.resolve()
    await row.waitFor()
    await expect.poll(() => changes.innerText(), patience).toMatch(/0$/)
  })

  test('while the browser is offline, another month says so, and a new client is kept until the connection is back', async () => {
    const agency = await browser.app.newOrg({ name: 'Agency', isAgency: true, key: { isAgency: true } })
    const owner = await newMember(browser.app, agency.orgId)
    await agency.post('/agency/clients', { name: 'Northwind' })
    const opened = await browser.open('/o/ORG/clients', owner)
    const { page, context } = opened
    await page.getByRole('row', { name: /^Northwind/ }).waitFor()
    await context.setOffline(true)
    const [, before] = await page.getByLabel('Month').locator('option').allTextContents()
    await page.getByLabel('Month').selectOption(before ?? '')
    await page.getByText('Your browser is offline').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('button', { name: 'Add a client' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Lantern Row')
    await page.getByRole('button', { name: 'Create client' }).click()
    await page.getByRole('dialog').getByText('No answer from Crosswalk').waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Create client' }).click()
    await page.getByRole('row', { name: /^Lantern Row/ }).waitFor()
  })

  test('the server searches the clients of an agency that has very many', async () => {
    const agency = await browser.app.newOrg({ name: 'Agency', isAgency: true, key: { isAgency: true } })
    const owner = await newMember(browser.app, agency.orgId)
    await runAsOwner(
      browser.app.databaseUrl,
      `with made as (
         insert into org (org_id, name)
         select gen_random_uuid(), case n when 1 then 'Zürich Motors' else 'Number ' || n end
         from generate_series(1, 601) n returning org_id)
       insert into agency_client (agency_org_id, client_org_id) select $1, org_id from made`,
      [agency.orgId],
    )
    const opened = await browser.open('/o/ORG/clients', owner)
    const { page } = opened
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/agency/usage'))
        asked.push(`${searchParams.get('q')}${searchParams.has('cursor') ? ', next page' : ''}`)
    })
    const rows = page.getByRole('row')
    await expect.poll(() => rows.count(), patience).toBe(101)
    asked.length = 0
    await page.getByLabel('Search clients').fill('zurich')
    await page.getByText('1 of 601 clients').waitFor()
    await page.getByRole('row', { name: 'Zürich Motors' }).waitFor()
    expect(asked).toEqual(['zurich'])
    await page.getByLabel('Search clients').fill('number 1')
    await page.getByRole('button', { name: 'Show more of 110 clients' }).click()
    await page.getByText('110 of 601 clients').waitFor()
    expect(await rows.count()).toBe(111)
    expect(asked.slice(1)).toEqual(['number 1', 'number 1, next page'])
    await page.getByRole('button', { name: 'Client', exact: true }).click()
    await expect.poll(() => rows.nth(1).textContent(), patience).toContain('Number 10')
    await page.getByLabel('Search clients').fill('nobody')
    await page.getByText('No client matches “nobody”').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    // A search that fails says so, and keeps the words.
    await page.route(/agency\/usage\?.*q=other/, (route) => route.abort())
    await page.getByLabel('Search clients').fill('other')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await page.getByLabel('Search clients').inputValue()).toBe('other')
  })
})
