import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, inNewBrowser } from '../support/console.ts'
import { createPeople, personNumbered } from '../support/console-records.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()
const { first_name, last_name } = personNumbered(1)

describe.runIf(chromium)('people whom somebody changes while others tag or merge them', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  let ids: string[]
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
    ids = await createPeople(org, 1)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  /** Tags the person, to whom somebody gives other tags before each of the first `times` writes. */
  async function tagWhile(times: number, theirs = (left: number) => [`theirs ${left}`]) {
    const { page } = await browser.open('/o/ORG/people', owner, inNewBrowser)
    let left = times
    await page.route('**/contacts/batch/read', async (route) => {
      const response = await route.fetch()
      if (left-- > 0) await org.patch(`/contacts/${ids[0]}`, { tags: theirs(left) })
      await route.fulfill({ response })
    })
    await page.getByRole('checkbox', { name: `Select ${first_name} ${last_name}` }).check()
    await page.getByRole('button', { name: /^Tag/ }).click()
    await page.getByRole('dialog').getByLabel('Tag').fill('autumn')
    await page.getByRole('button', { name: 'Add the tag' }).click()
    return page
  }

  const tags = async () => (await org.get(`/contacts/${ids[0]}`)).body.data.tags

  test('the tag is added to their current tags', async () => {
    const page = await tagWhile(1)
    await page.getByText('1 person tagged “autumn”.', { exact: true }).waitFor()
    expect(await tags()).toEqual(['theirs 0', 'autumn'])
  })

  test('a person who gets the same tag from somebody else counts as tagged', async () => {
    const page = await tagWhile(1, () => ['autumn'])
    await page.getByText('1 person tagged “autumn”.', { exact: true }).waitFor()
    expect(await tags()).toEqual(['autumn'])
  })

  test('people whom somebody changes again and again are refused in plain words', async () => {
    const page = await tagWhile(9)
    const toast = page.getByRole('status').getByText('1 refused')
    expect(await toast.textContent()).toContain('Somebody changes it at the same time. Try again.')
    expect((await tags())[0]).toMatch(/^theirs/)
  })

  test('a merge of a person whom somebody erased meanwhile says so, and what to do', async () => {
    const { contact_id } = (await org.post('/contacts', { first_name: 'Ada' })).body.data
    const { page } = await browser.open('/o/ORG/people', owner)
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await page.getByRole('button', { name: /^Merge/ }).click()
    const act = page.getByRole('dialog').getByRole('button', { name: 'Merge 2 people' })
    await expect.poll(() => act.isEnabled(), patience).toBe(true)
    await org.post(`/contacts/${contact_id}/erase`)
    await act.click()
    await page
      .getByText('One of these does not exist any more. Close this, and select the others again.')
      .waitFor()
  })

  test('a merge whose result is not what its preview showed says which values differ', async () => {
    const { contact_id } = (await org.post('/contacts', { first_name: 'Ada', job_title: 'Buyer' })).body.data
    const { page } = await browser.open('/o/ORG/people', owner)
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await page.getByRole('button', { name: /^Merge/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Title' }).selectOption('Buyer')
    const act = dialog.getByRole('button', { name: 'Merge 2 people' })
    await expect.poll(() => act.isEnabled(), patience).toBe(true)
    await org.patch(`/contacts/${contact_id}`, { job_title: 'Founder' })
    await act.click()
    await page.getByText('Somebody changed one of them meanwhile. Not as you saw it: Title.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The merge is undone').waitFor()
  })
})
