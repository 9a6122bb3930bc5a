import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened } from '../support/console.ts'
import { Keyboard } from '../support/console-keyboard.ts'
import { createPeople, personNumbered } from '../support/console-records.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the focus stays in the page', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const open = async (path: string): Promise<[Opened['page'], Keyboard]> => {
    const opened = await browser.open(path, owner)
    return [opened.page, new Keyboard(opened)]
  }

  test('when the row of a table is deleted: at the same button of the next row, else of the row before, else in the page', async () => {
    // The organization has a key already.
    for (const name of ['One', 'Two']) await owner.post('/api-keys', { name })
    const [page, keyboard] = await open('/o/ORG/settings/api')
    const names = page.getByRole('button', { name: /^Delete / })
    await names.nth(2).waitFor()
    const remove = async (index: number) => {
      await names.nth(index).focus()
      await page.keyboard.press('Enter')
      await keyboard.press(button(page, 'Delete'))
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    const [, , last] = await names.evaluateAll((all) =>
      all.map((one) => one.getAttribute('aria-label') ?? ''),
    )
    await remove(1)
    await keyboard.requireFocus(button(page, last ?? ''))
    await remove(1)
    await keyboard.requireFocus(names.first())
    await remove(0)
    await page.getByText('There is no API key yet').waitFor()
    await keyboard.requireFocus(page.getByRole('main'))
  })

  test('at the first wrong field, after a dialog or a form on a page was refused', async () => {
    const [page, keyboard] = await open('/o/ORG/settings/organization')
    await page.getByLabel('Name').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This field is empty').waitFor()
    await keyboard.requireFocus(page.getByLabel('Name'))
    await page.getByLabel('Name').fill('Lantern Row')
    await page.getByRole('link', { name: 'API', exact: true }).click()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('This field is empty').waitFor()
    await keyboard.requireFocus(page.getByLabel('Name'))
  })

  test('at the button of a menu whose item opened a dialog, after the dialog closes', async () => {
    await newMember(browser.app, org.orgId, 'member')
    const [page, keyboard] = await open('/o/ORG/settings/members')
    const menu = page.getByRole('button', { name: /^Actions for / }).last()
    for (const name of ['Change', 'Remove']) {
      await menu.click()
      await page.getByRole('menuitem', { name }).first().click()
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await keyboard.requireFocus(menu)
    }
  })

  test.each(['Enter', 'Space', 'ArrowDown'])('at the first item of a menu that %s opened', async (key) => {
    await newMember(browser.app, org.orgId, 'member')
    const [page, keyboard] = await open('/o/ORG/settings/members')
    await page
      .getByRole('button', { name: /^Actions for / })
      .last()
      .focus()
    await page.keyboard.press(key)
    await keyboard.requireFocus(page.getByRole('menuitem').first())
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
  })

  test('in the dialog of a change of all people, after the change began', async () => {
    await createPeople(org, 3)
    const [page, keyboard] = await open('/o/ORG/people')
    const { first_name, last_name } = personNumbered(1)
    await page.getByRole('checkbox', { name: `Select ${first_name} ${last_name}` }).check()
    await button(page, 'Change all 3').click()
    await keyboard.fill(page.getByRole('textbox', { name: 'Tag' }), 'autumn')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('3 of 3 done. All done.').waitFor()
    await keyboard.requireFocus(page.getByRole('dialog').getByRole('button', { name: 'Close' }))
  })

  test('between the steps of an import', async () => {
    const [page, keyboard] = await open('/o/ORG/imports/new')
    await button(page, 'Choose a file').focus()
    const csv = {
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Email\nada@lantern.example\n'),
    }
    await page.locator('input[type=file]').setInputFiles(csv)
    for (const name of ['Check the rows', 'Import 1 person']) {
      await button(page, name).waitFor()
      await keyboard.requireFocus(page.getByRole('main'))
      await keyboard.press(button(page, name))
    }
    await page.getByText('1 person is imported.').waitFor()
    await keyboard.requireFocus(page.getByRole('main'))
  })

  test('after a key opened a dialog that creates a deal', async () => {
    await org.post('/deals', { name: 'Renewal' })
    const [page, keyboard] = await open('/o/ORG/deals?view=list')
    await page.getByRole('link', { name: 'Renewal' }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Upgrade')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Upgrade' }).waitFor()
    await keyboard.requireFocus(page.getByRole('grid'))
  })

  test('at the other button of a row, when the first one cannot move it further', async () => {
    const [page, keyboard] = await open('/o/ORG/settings/deals')
    const up = page.getByRole('button', { name: /^Move .* up$/ })
    await up.nth(1).waitFor()
    const name = (await up.nth(1).getAttribute('aria-label')) ?? ''
    await up.nth(1).focus()
    await page.keyboard.press('Enter')
    await keyboard.requireFocus(button(page, name.replace(/up$/, 'down')))
  })

  test('beside a button that disappears because it is pressed', async () => {
    const { body } = await owner.post('/personas', { name: 'Mia', instructions: 'Confirm appointments.' })
    const [page, keyboard] = await open(`/o/ORG/personas/${body.data.persona_id}`)
    await keyboard.press(button(page, 'Activate'))
    await page.getByText('Mia is active.').waitFor()
    await keyboard.requireFocus(button(page, 'Edit'))
    await keyboard.press(button(page, 'Archive'))
    await page.getByText('Mia is archived.').waitFor()
    await keyboard.requireFocus(button(page, 'Restore'))
    await page.keyboard.press('Enter')
    await page.getByText('Mia is restored.').waitFor()
    await keyboard.requireFocus(button(page, 'Edit'))
  })
})
