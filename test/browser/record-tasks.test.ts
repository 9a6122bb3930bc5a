import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { newMember } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('long lists on the page of a record', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('more than 20 deals of a company are offered page by page', async () => {
    const org = await browser.app.newOrg()
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const { company_id } = (await org.post('/companies', { name: 'Willow Design' })).body.data
    await Promise.all(
      Array.from({ length: 21 }, (_, n) => org.post('/deals', { name: `Renewal ${n + 1}`, company_id })),
    )
    const { page } = await browser.open(`/o/ORG/companies/${company_id}`, viewer)
    const deals = page.getByRole('region', { name: 'Deals' })
    await deals.getByRole('button', { name: 'Show more deals' }).click()
    await deals.getByRole('listitem').nth(20).waitFor()
    expect(await deals.getByRole('button', { name: 'Show more deals' }).count()).toBe(0)
  })

  test('tasks are offered page by page if there are more than 50, and a viewer reads one without a form', async () => {
    const org = await browser.app.newOrg()
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const { contact_id } = (await org.post('/contacts', { last_name: 'Adams' })).body.data
    const about = { entity_type: 'contact', record_id: contact_id }
    const newTask = (title: string) =>
      org.post('/tasks', { ...about, title, text: 'Ask for *both* sites', due_on: '2026-03-31' })
    await Promise.all(Array.from({ length: 51 }, (_, n) => newTask(`Task ${n + 1}`)))
    const { page } = await browser.open(`/o/ORG/people/${contact_id}`, viewer)
    const tasks = page.getByRole('region', { name: 'Tasks' })
    await tasks.getByRole('button', { name: 'Show more tasks' }).click()
    await tasks.getByRole('listitem').nth(50).waitFor()
    expect(await tasks.getByRole('button', { name: 'Show more tasks' }).count()).toBe(0)
    await tasks.getByRole('button', { name: 'Task 1', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('em', { hasText: 'both' }).waitFor()
    expect(await dialog.getByRole('textbox').count()).toBe(0)
    expect(await dialog.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
  })
})
