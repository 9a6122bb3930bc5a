import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInAllLooks, requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the clients of an agency', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterAll(() => browser.close())

  async function newAgency() {
    const agency = await browser.app.newOrg({ name: 'Agency', isAgency: true, key: { isAgency: true } })
    return { agency, owner: await newMember(browser.app, agency.orgId) }
  }

  /** Opens a page for which the server fails at some addresses, until `mend` is called. */
  async function openBroken(path: string, member: SignedIn, failing: RegExp) {
    let isBroken = true
    const failure = {
      status: 500,
      headers: { 'retry-after': '0' },
      json: { detail: 'Something broke', code: 'internal_error' },
    }
    const opened = await browser.open(path, member, (page) =>
      page.route(failing, (route) => (isBroken ? route.fulfill(failure) : route.continue())),
    )
    const mend = () => {
      isBroken = false
    }
    return { opened, mend }
  }

  test('the first steps of an agency begin with its clients', async () => {
    const { agency, owner } = await newAgency()
    const { page } = await browser.open('/o/ORG', owner)
    const step = page.getByRole('region', { name: 'First steps' }).getByRole('listitem').first()
    await step.getByText('Add your first client').waitFor()
    await step.getByRole('link', { name: 'Open clients' }).click()
    await page.getByText('There are no clients yet').waitFor()
    await agency.post('/agency/clients', { name: 'Northwind' })
    await page.goBack()
    await page.reload()
    await step.getByText('done').waitFor()
  })

  test('the console of a client names the client in the tab, in a narrow window, and in lines for a terminal', async () => {
    const { agency, owner } = await newAgency()
    const { body } = await agency.post('/agency/clients', { name: 'Northwind' })
    const opened = await browser.open(`/o/${body.data.org_id}/calls/suppressions`, owner)
    const { page } = opened
    const lines = page.getByRole('region', { name: 'The same with curl' })
    await lines.waitFor()
    expect(await lines.innerText()).toContain(`-H "X-Target-Org-Id: ${body.data.org_id}"`)
    expect(await page.title()).toContain('Northwind')
    const name = page.getByRole('main').getByText('Northwind', { exact: true })
    expect(await name.isVisible()).toBe(false)
    await page.setViewportSize({ width: 390, height: 844 })
    await name.waitFor()
    await requireNoFaultsInAllLooks(opened)

    const own = await browser.open('/o/ORG/calls/suppressions', owner)
    const ownLines = own.page.getByRole('region', { name: 'The same with curl' })
    await ownLines.waitFor()
    expect(await ownLines.innerText()).not.toContain('X-Target-Org-Id')
  })

  test('a limited member of an agency reads why there are no clients', async () => {
    const { agency, owner } = await newAgency()
    const { body } = await agency.post('/agency/clients', { name: 'Northwind' })
    const limited = await newMember(browser.app, agency.orgId, 'member')
    const client = await browser.open(`/o/${body.data.org_id}/people`, limited)
    await client.page.getByText('Nobody here yet').waitFor()
    expect((await owner.patch(`/members/${limited.memberId}`, { record_access: 'own' })).status).toBe(200)
    await client.page.reload()
    await client.page.getByText('members who see only some records do not act on its clients').waitFor()
    await requireNoFaultsInTwoThemes(client)
    const own = await browser.open('/o/ORG/clients', limited)
    await own.page.getByText('Members who see only some records do not act on the clients').waitFor()
    await requireNoFaultsInTwoThemes(own)
  })

  test('a person of an agency sees what each client used, opens a client, and downloads a month', async () => {
    const { agency, owner } = await newAgency()
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
      expect.stringMatching(/^\ufefforg_id,name,from,to,requests,/),
      expect.stringContaining('Northwind'),
      expect.stringContaining('A client with a name'),
    ])

    const [, before] = await page.getByLabel('Month').locator('option').allTextContents()
    await page.getByLabel('Month').selectOption(before ?? '')
    await expect.poll(() => page.url()).toMatch(/month=\d{4}-\d\d$/)
    await row.getByRole('link', { name: 'Northwind' }).click()
    await page.getByRole('button', { name: 'Northwind' }).waitFor()
    // The navigation of the client comes with its home page, a moment after its name.
    await expect.poll(() => page.getByRole('link', { name: 'Clients' }).count(), patience).toBe(0)
  })

  test('the search and the order count all clients, even clients that were not shown yet', async () => {
    const { agency, owner } = await newAgency()
    await agency.post('/agency/clients', { name: 'Zürich Motors' })
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => agency.post('/agency/clients', { name: `Client ${n}` })),
    )
    const [oldest] = (await agency.get('/agency/clients?limit=1&page=101')).body.data
    expect(oldest.name).toBe('Zürich Motors')
    await browser.app.operate((tx) =>
      tx.run(sql`
        insert into usage_hour (org_id, mode, hour, series, n)
        values (${oldest.org_id}, 'live', date_trunc('month', now(), 'UTC'), 'requests', 1204)`),
    )
    const { page } = await browser.open('/o/ORG/clients', owner)
    await page.getByText('Show more clients').waitFor()
    expect(await page.getByRole('row').count()).toBe(101)

    await page.getByRole('button', { name: 'Requests' }).click()
    const first = page.getByRole('row').nth(1)
    await first.getByText('Zürich Motors').waitFor()
    await first.getByText('1,204').waitFor()
    const head = page.getByRole('columnheader', { name: 'Requests' })
    expect(await head.getAttribute('aria-sort')).toBe('descending')
    await page.getByRole('button', { name: 'Requests' }).click()
    await expect.poll(() => head.getAttribute('aria-sort'), patience).toBe('ascending')
    await page.getByRole('button', { name: 'Requests' }).click()
    await expect.poll(() => head.getAttribute('aria-sort'), patience).toBeNull()
    await first.getByText('Zürich Motors').waitFor({ state: 'detached' })

    await page.getByLabel('Search clients').fill('zurich')
    await page.getByText('1 of 101 clients').waitFor()
    await page.getByRole('status').getByText('1 found').waitFor()
    // The address shows another person the same.
    await page.reload()
    await page.getByText('1 of 101 clients').waitFor()
    await page.getByLabel('Search clients').fill('nobody')
    await page.getByText('No client matches “nobody”').waitFor()
    await page.getByRole('status').getByText('0 found').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('row', { name: /^Client 9\b/ }).waitFor()
  })

  test('a search says so if it did not read all clients, and continues on demand', async () => {
    const { agency, owner } = await newAgency()
    await Promise.all(
      Array.from({ length: 101 }, (_, n) => agency.post('/agency/clients', { name: `Client ${n}` })),
    )
    const { opened, mend } = await openBroken('/o/ORG/clients?q=client', owner, /agency\/usage\?.*cursor=/)
    const { page } = opened
    await page.getByText('Only 100 of 101 clients were read').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    mend()
    await page.getByRole('button', { name: 'Read the others' }).click()
    await page.getByText('101 of 101 clients').waitFor()
  })

  test('the clients are shown, with an explanation, if their sums cannot be read', async () => {
    const { agency, owner } = await newAgency()
    await agency.post('/agency/clients', { name: 'Northwind' })
    const { opened, mend } = await openBroken('/o/ORG/clients', owner, /usage\/totals/)
    const { page } = opened
    await page.getByText('The sums are missing').waitFor()
    await page.getByRole('row', { name: /^Northwind/ }).waitFor()
    await requireNoFaultsInTwoThemes(opened)
    mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('0 refused with 429').waitFor()
  })

  test('a person creates a client, and cuts the link to it', async () => {
    const { agency, owner } = await newAgency()
    const opened = await browser.open('/o/ORG/clients', owner)
    const { page } = opened
    await page.getByRole('button', { name: 'Add a client' }).click()
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('button', { name: 'Create client' }).click()
    await page.getByRole('dialog').locator('[aria-invalid=true]').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Tailspin Toys')
    await page.getByRole('button', { name: 'Create client' }).click()
    const row = page.getByRole('row', { name: /^Tailspin Toys/ })
    // The person reaches the new client at once.
    await row.getByRole('link', { name: 'Tailspin Toys' }).waitFor()
    const [client] = (await agency.get('/agency/clients')).body.data
    const kept = await agency.post(
      '/api-keys',
      { name: 'Nightly report' },
      { headers: { 'x-target-org-id': client.org_id } },
    )
    expect(kept.status).toBe(201)

    await row.getByRole('button', { name: 'Actions for Tailspin Toys' }).click()
    await page.getByRole('menuitem', { name: 'Cut the link' }).click()
    await page.getByText('no longer sees its usage').waitFor()
    await page.getByText('If Tailspin Toys has neither an owner nor an API key').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect((await agency.get('/agency/clients')).body.data).toHaveLength(1)
    await row.getByRole('button', { name: 'Actions for Tailspin Toys' }).click()
    await page.getByRole('menuitem', { name: 'Cut the link' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cut the link' }).click()
    await page.getByText('Some access of Agency to Tailspin Toys remains').waitFor()
    await page.getByText('Nightly report').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('dialog').locator('footer').getByRole('button').click()
    await page.getByText('There are no clients yet').waitFor()
    expect((await agency.get('/agency/clients')).body.data).toEqual([])
  })

  test('a person invites an organization, which becomes a client, and revokes another invitation', async () => {
    const { agency, owner } = await newAgency()
    const opened = await browser.open('/o/ORG/clients?view=invitations', owner)
    const { page } = opened
    await page.getByText('There is no invitation yet').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('button', { name: 'Add a client' }).click()
    await page.getByText('One that exists').click()
    await page.getByRole('textbox', { name: 'Note (optional)' }).fill('Lantern Row')
    await page.getByRole('button', { name: 'Create invitation' }).click()
    const link = await page.getByRole('dialog').locator('code', { hasText: 'svc_invite_' }).textContent()
    expect(link).toMatch(/^http:\/\/[^/]+\/console\/invite#svc_invite_\w+$/)
    const token = link?.split('#')[1]
    await requireNoFaultsInAllLooks(opened)
    await page.keyboard.press('Escape')
    await page.getByText('Copy the link first').waitFor()
    await page.getByLabel('I have copied it').check()
    await page.getByRole('button', { name: 'Close' }).click()
    const row = page.getByRole('row', { name: /^Lantern Row/ })
    await row.getByText('pending').waitFor()

    const client = await browser.app.newOrg({ name: 'Lantern Row Ltd' })
    expect((await client.post('/organization/agencies', { token })).status).toBe(201)
    await agency.post('/agency/invitations', { label: 'Northwind' })
    await page.reload()
    await row.getByText('accepted', { exact: true }).waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
    const acceptedBy = row.getByText('accepted by').getByRole('link', { name: 'Lantern Row Ltd' })
    expect(await acceptedBy.getAttribute('href')).toContain(client.orgId)
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('button', { name: 'Revoke the invitation “Northwind”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('row', { name: /^Northwind/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'All clients' }).click()
    await page.getByRole('row', { name: /^Lantern Row/ }).waitFor()
  })

  test('an admin cannot cut a link, and a viewer can change nothing', async () => {
    const { agency } = await newAgency()
    await agency.post('/agency/clients', { name: 'Northwind' })
    const [admin, viewer] = [
      await newMember(browser.app, agency.orgId, 'admin'),
      await newMember(browser.app, agency.orgId, 'viewer'),
    ]
    const opened = await browser.open('/o/ORG/clients', admin)
    const { page } = opened
    await page.getByRole('row', { name: /^Northwind/ }).waitFor()
    expect(await page.getByRole('button', { name: /Actions for/ }).count()).toBe(0)
    await browser.reopen(opened, '/o/ORG/clients', viewer)
    await page.getByRole('row', { name: /^Northwind/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Add a client' }).count()).toBe(0)
  })
})
