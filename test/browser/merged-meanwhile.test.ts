import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, waitToHide, waitToShow, withClock } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('a record that somebody merges or archives while a person types on its page', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  let survivorId: string
  let loserId: string
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
  })
  beforeEach(async () => {
    const create = async (first_name: string) =>
      (await org.post('/contacts', { first_name, last_name: 'Klein', job_title: first_name })).body.data
        .contact_id
    survivorId = await create('Ada')
    loserId = await create('Adah')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  async function merge(): Promise<void> {
    const body = { entity_type: 'contact', survivor_id: survivorId, loser_ids: [loserId] }
    expect((await org.post('/duplicates/merge', body)).status).toBe(200)
  }

  test('keeps the typed value until it is saved, and then leads to the survivor', async () => {
    const opened = await browser.open(`/o/ORG/people/${loserId}`, owner, withClock)
    const { page } = opened
    await page.getByRole('button', { name: 'Edit Title' }).click()
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await title.fill('Engineer')
    await merge()
    await waitToShow(opened, page.getByText('was merged into Ada Klein'))
    expect(await title.inputValue()).toBe('Engineer')
    await requireNoFaultsInAllLooks(opened)
    await title.press('Enter')
    await page.getByText('Nothing of yours is lost').waitFor()
    await page.getByRole('button', { name: 'Save as chosen' }).click()
    await title.waitFor({ state: 'detached' })
    await waitToHide(opened, page.getByText('was merged into Ada Klein'))
    await page.waitForURL(new RegExp(`/people/${survivorId}`))
    expect((await org.get(`/contacts/${survivorId}`)).body.data.job_title).toBe('Engineer')
  })

  test('keeps the typed value if the record is archived meanwhile, and saves it after it is restored', async () => {
    const opened = await browser.open(`/o/ORG/people/${survivorId}`, owner, withClock)
    const { page } = opened
    await page.getByRole('button', { name: 'Edit Title' }).click()
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await title.fill('Engineer')
    expect((await org.delete(`/contacts/${survivorId}`)).status).toBe(200)
    await title.press('Enter')
    const note = page.getByText('This person was archived meanwhile. Restore it to save what you typed')
    await note.waitFor()
    expect(await title.inputValue()).toBe('Engineer')
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('button', { name: 'Restore' }).click()
    await note.waitFor({ state: 'detached' })
    await title.press('Enter')
    const again = page.getByRole('button', { name: 'Save again' })
    await Promise.race([title.waitFor({ state: 'detached' }), again.click()])
    await title.waitFor({ state: 'detached' })
    expect((await org.get(`/contacts/${survivorId}`)).body.data).toMatchObject({
      archived_at: null,
      job_title: 'Engineer',
    })
  })

  test('keeps the note, which the survivor gets', async () => {
    const opened = await browser.open(`/o/ORG/people/${loserId}`, owner, withClock)
    const { page } = opened
    await page.getByRole('button', { name: 'Add a note' }).click()
    await page.getByLabel('Text').fill('Called, and calls back')
    await merge()
    await waitToShow(opened, page.getByText('was merged into Ada Klein'))
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByText('The note is added.').waitFor()
    await page.getByText('Called, and calls back').waitFor()
    await waitToHide(opened, page.getByText('was merged into Ada Klein'))
    await page.waitForURL(new RegExp(`/people/${survivorId}`))
    await page.getByText('Called, and calls back').waitFor()
  })
})
