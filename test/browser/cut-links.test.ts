import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { connect } from '../support/crm-sync/crm.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('links to lists that were cut off or changed', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg()
    owner = await newMember(browser.app, org.orgId)
    expect((await org.post('/contacts', { last_name: 'Adams' })).status).toBe(201)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const broken = 'The filter in this link could not be read'

  test('a list whose filter was cut off shows no records until the person asks for all of them', async () => {
    const { page } = await browser.open('/o/ORG/people?filter=%7B%22and%22%3A%5B%7B%22fie&sort=name', owner)
    await page.getByText(broken).waitFor()
    await page.reload()
    await page.getByText(broken).waitFor()
    expect(await page.getByRole('grid').count()).toBe(0)
    await page.getByRole('button', { name: 'Show all people' }).click()
    await page.getByRole('link', { name: 'Adams', exact: true }).waitFor()
    expect(new URL(page.url()).search).not.toContain('filter')
  })

  test('a board of deals whose filter was cut off says so, in place of all deals', async () => {
    await org.post('/deals', { name: 'Large deal' })
    const { page } = await browser.open('/o/ORG/deals?filter=%7B', owner)
    await page.getByText(broken).waitFor()
    expect(await page.getByText('Large deal').count()).toBe(0)
    await page.getByRole('button', { name: 'Show all deals' }).click()
    await page.getByText('Large deal').waitFor()
  })

  test('a push to a CRM by a link whose filter was cut off counts nobody', async () => {
    await connect(org)
    const { page } = await browser.open('/o/ORG/crm/push?filter=%7B', owner)
    await page.getByText('could not be read, so nobody is pushed').waitFor()
    expect(await page.getByText('would be pushed').count()).toBe(0)
  })

  test('a push to a CRM by a link whose selected people were cut off counts nobody', async () => {
    await connect(org)
    const { contact_id: id } = (await org.get('/contacts')).body.data[0]
    for (const fragment of [id.slice(0, 30), `${id}.${id.slice(0, 8)}`]) {
      const { page } = await browser.open(`/o/ORG/crm/push#${fragment}`, owner)
      await page.getByText('The people in this link could not be read, so nobody is pushed.').waitFor()
      expect(await page.getByText('would be pushed').count()).toBe(0)
    }
  })

  test('a link with an order that does not exist offers the usual order, and keeps its filter', async () => {
    const { page } = await browser.open('/o/ORG/people?q=adams&sort=nonsense', owner)
    await page.getByText('The order in this link does not exist').waitFor()
    await page.getByRole('button', { name: 'Show the newest first' }).click()
    await page.getByRole('link', { name: 'Adams', exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?q=adams')
  })
})
