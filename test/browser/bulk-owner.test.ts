import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { createPeople, personNumbered } from '../support/console-records.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()
const nameOf = (number: number) => {
  const { first_name, last_name } = personNumbered(number)
  return `${first_name} ${last_name}`
}

describe.runIf(chromium)('the owner of several people', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
    await createPeople(org, 3)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const owned = async () => (await org.get('/contacts?owner_id[is_null]=false')).body.pagination.total

  test('the selected people get an owner, and lose the owner again, by keyboard', async () => {
    const opened = await browser.open('/o/ORG/people', owner)
    const { page } = opened
    for (const [label, toast, left] of [
      [null, /^2 people got the owner /, 2],
      ['Nobody', '2 people lost their owner.', 0],
    ] as const) {
      for (const number of [1, 2])
        await page.getByRole('checkbox', { name: `Select ${nameOf(number)}` }).check()
      await page.keyboard.press('o')
      const dialog = page.getByRole('dialog', { name: 'Owner of 2 people' })
      expect(await dialog.getByRole('button', { name: 'Change the owner' }).isDisabled()).toBe(true)
      await dialog.getByLabel('Owner', { exact: true }).selectOption(label ?? { index: 1 })
      if (label === null) await requireNoFaultsInAllLooks(opened)
      await dialog.getByRole('button', { name: 'Change the owner' }).press('Enter')
      await page.getByText(toast).waitFor()
      expect(await owned()).toBe(left)
    }
  })

  test('a person who selected all rows of a list can give all of them an owner', async () => {
    const { page } = await browser.open('/o/ORG/people', owner)
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await page.getByText('3 selected').waitFor()
    await page.getByRole('button', { name: 'Change all 3' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change all 3 people' })
    await dialog.getByLabel('What changes').selectOption({ label: 'They get an owner' })
    await dialog.getByLabel('Owner').selectOption({ index: 1 })
    await dialog.getByRole('button', { name: 'Change all' }).click()
    await dialog.getByText('3 of 3 done. All done.').waitFor()
    expect(await owned()).toBe(3)
  })
})
