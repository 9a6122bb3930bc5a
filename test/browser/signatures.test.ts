import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { liquidFilters, liquidTags } from '../../console/src/routes/signatures/editor/liquid-words.ts'
import { putMembership } from '../../src/members/memberships.ts'
import { PasswordHasher } from '../../src/members/passwords.ts'
import { setPassword } from '../../src/members/people.ts'
import { allowedTags } from '../../src/signatures/compile/engine.ts'
import { allowedFilters } from '../../src/signatures/compile/filters.ts'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, inNewBrowser, type Opened } from '../support/console.ts'
import {
  requireNoFaults,
  requireNoFaultsInAllLooks,
  requireNoFaultsInTwoThemes,
} from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

test('the editor completes the tags and filters that the server accepts', () => {
  expect(Object.keys(liquidTags).sort()).toEqual(allowedTags)
  expect(Object.keys(liquidFilters).sort()).toEqual(allowedFilters)
})

describe.runIf(chromium)('signatures', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let ada: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    ada = await newMember(browser.app, org.orgId, 'member')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const html = '<p><b>{{ display_name }}</b><br>\n{{ title }}, {{ org.name }}</p>'

  async function newTemplate(fields: object = {}): Promise<string> {
    const { status, body } = await org.post('/signatures/templates', { name: 'Sales', html, ...fields })
    expect(status).toBe(201)
    return body.data.template_id
  }

  async function newMailbox(email: string, fields: object): Promise<void> {
    expect((await org.post('/signatures/mailboxes', { email, ...fields })).status).toBe(201)
  }

  async function openTemplate(
    fields: object = {},
    member = ada,
    prepare?: typeof inNewBrowser,
  ): Promise<Opened & { id: string }> {
    const id = await newTemplate(fields)
    await newMailbox('tom@lantern-row.example', {
      ...{ template_id: id, display_name: 'Tom Whitfield' },
      fields: { title: 'Head of Sales', phone: '+44 7700 900417' },
    })
    const opened = await browser.open(`/o/ORG/signatures/${id}`, member, prepare)
    await shown(opened.page).getByText('Tom Whitfield', { exact: true }).waitFor()
    return { ...opened, id }
  }

  /** The frame that shows the signature now. */
  const shown = (page: Page) => page.locator('iframe[data-shown]').contentFrame()
  const editor = (page: Page) => page.getByRole('textbox', { name: 'HTML of the template' })
  const stored = async (id: string) => (await org.get(`/signatures/templates/${id}`)).body.data

  test('a mailbox and a template are created, the template is completed by keyboard and pushed, and a failed push says why', async () => {
    await newMailbox('tom@lantern-row.example', { display_name: 'Tom Whitfield' })
    const opened = await browser.open('/o/ORG/signatures', ada)
    const { page } = opened
    await page.getByText('There is no signature template yet').waitFor()
    await page.getByRole('radio', { name: 'Mailboxes' }).check()
    await page.getByText('Tom Whitfield').waitFor()
    await page.keyboard.press('c')
    await page.getByLabel('Address').fill('nina+refused@lantern-row')
    await page.getByLabel('Name of the person').fill('Nina Park')
    await page.getByLabel('Text 1').fill('Sales')
    await page.getByLabel('Text 2').fill('+44 7700 900417')
    await page.keyboard.press('Enter')
    await page.locator('input[aria-invalid=true]').waitFor()
    await requireNoFaults(opened)
    await page.getByLabel('Address').fill('nina+refused@lantern-row.example')
    await page.keyboard.press('Enter')
    await page.getByText('The mailbox is saved').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('button', { name: 'Edit nina+refused@lantern-row.example' }).click()
    await page.getByRole('button', { name: 'Remove field 1' }).click()
    await page.getByRole('button', { name: 'Add a field' }).click()
    await page
      .locator(':focus')
      .and(page.getByRole('combobox', { name: 'Field 2' }))
      .waitFor()
    await page.getByRole('combobox', { name: 'Field 2' }).fill('title')
    await page.getByLabel('Text 2').fill('Sales')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The mailbox is saved').last().waitFor()
    await page.getByRole('radio', { name: 'Templates' }).check()
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    await page.keyboard.type('Sales team')
    await page.keyboard.press('Enter')
    await shown(page).getByText('Nina Park', { exact: true }).waitFor()
    await editor(page).focus()
    await page.keyboard.press('Control+End')
    await typing(page)
    await page.keyboard.type('{{ pho')
    await page.getByRole('option', { name: 'phone' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await page.keyboard.type('{{ title | up')
    await page.getByRole('option', { name: 'upcase' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type(' }}')
    await shown(page).getByText('+44 7700 900417SALES').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Version 2 is saved').waitFor()
    await page.getByRole('button', { name: 'Choose mailboxes' }).click()
    await page.getByLabel('All mailboxes').check()
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Change 2' }).click()
    await page.getByText('this version in 0 of 2').waitFor()
    await page.getByRole('button', { name: 'Push to 2 mailboxes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Push to 2 mailboxes' }).click()
    await page.getByText('Version 2 is installed in 1 of 2 mailboxes').waitFor()
    await page.getByRole('button', { name: 'Show it' }).click()
    await page.getByText('nina+refused@lantern-row.example', { exact: true }).waitFor()
    await page.getByText('this version in 1 of 2, failed in 1').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('link', { name: 'Signatures' }).click()
    await page.getByText('failed in 1').waitFor()
  })

  /** Waits until the editor has its keys and completions, which load when it gets the focus. */
  const typing = (page: Page) => page.locator('.cm-content[aria-autocomplete]').waitFor()

  test('the preview follows the text, in four looks, and each problem is below its line with its repair', async () => {
    const opened = await openTemplate({}, ada, inNewBrowser)
    const { page } = opened
    await editor(page).click()
    await page.keyboard.press('Control+End')
    await typing(page)
    await page.keyboard.type('\n<i>{{ titel }}</i><a href="https://lantern-row.example">Site</a>')
    await page.getByText('“titel” is not in the data').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('button', { name: 'title', exact: true }).click()
    await expect.poll(() => editor(page).textContent(), patience).toContain('<i>{{ title }}</i>')
    await expect.poll(() => shown(page).locator('i').textContent(), patience).toBe('Head of Sales')
    await page.getByRole('radio', { name: 'Phone' }).check()
    const width = async () => (await page.locator('iframe[data-shown]').boundingBox())?.width
    await expect.poll(width, patience).toBe(375)
    await page.getByRole('radio', { name: 'Dark' }).check()
    await shown(page).locator('html.dark').waitFor()
    await page.getByRole('radio', { name: 'Text', exact: true }).check()
    await page
      .getByRole('region', { name: 'Plain text' })
      .getByText('Site (https://lantern-row.example)')
      .waitFor()
    await page.getByRole('radio', { name: 'Desktop' }).check()
    await editor(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\n{{ title | upcas }}')
    await page.getByText('There is no filter “upcas”. Did you mean upcase?').waitFor()
    await page.getByRole('button', { name: 'line 4' }).click()
    expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2)
  })

  test('a name that only other mailboxes have gets no suggestion with the same name', async () => {
    await newMailbox('ann@lantern-row.example', { display_name: 'Ann Gray' })
    const { page } = await openTemplate()
    await page.getByLabel('Data of').selectOption({ label: 'as Ann Gray (ann@lantern-row.example)' })
    await page.getByText('“title” is not in the data').waitFor()
    expect(await page.getByText('Did you mean').count()).toBe(0)
  })

  test('leaving with unsaved text asks, and a conflict shows both versions side by side', async () => {
    const opened = await openTemplate()
    const { page, id } = opened
    await editor(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\nmine')
    await page.getByRole('link', { name: 'Signatures' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    expect(await editor(page).textContent()).toContain('mine')
    await org.patch(`/signatures/templates/${id}`, { name: 'Everybody' })
    await page.keyboard.press('Control+s')
    await page.getByText('Somebody else changed the name').waitFor()
    await org.patch(`/signatures/templates/${id}`, { html: `${html}\ntheirs` })
    await page.getByRole('button', { name: 'Save again' }).click()
    await page.getByText('Somebody else saved this template').waitFor()
    await page.getByRole('textbox', { name: 'Theirs' }).getByText('theirs').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    // Not with the pointer: the dialog may still move after the change of the window's width.
    await page.getByRole('button', { name: 'Show theirs instead' }).press('Enter')
    await expect.poll(() => editor(page).textContent(), patience).toContain('theirs')
    await page.getByRole('button', { name: 'Show mine' }).click()
    await expect.poll(() => editor(page).textContent(), patience).toContain('mine')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Version 4 is saved').waitFor()
    expect(await stored(id)).toMatchObject({ name: 'Everybody', html: `${html}\nmine` })
  })

  test('what a person types while a version is saved stays, and is saved with the next version', async () => {
    const { page, id } = await openTemplate()
    const answer = Promise.withResolvers<void>()
    await page.route(`**/signatures/templates/${id}`, async (route) => {
      if (route.request().method() !== 'GET') await answer.promise
      await route.continue()
    })
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Sales team')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.keyboard.press('Control+s')
    await sent
    await name.fill('Sales team of Lantern Row')
    answer.resolve()
    await page.getByText('Version 2 is saved').waitFor()
    expect(await name.inputValue()).toBe('Sales team of Lantern Row')
    await page.keyboard.press('Control+s')
    await page.getByText('Version 3 is saved').waitFor()
    expect((await stored(id)).name).toBe('Sales team of Lantern Row')
  })

  test('if the session is revoked while a person types, the sign-in keeps the text for this person alone, and a viewer cannot save it', async () => {
    const password = 'lantern brook ochre'
    const hash = await new PasswordHasher(10).hash('127.0.0.1', password)
    const [bob, cleo] = [
      await newMember(browser.app, org.orgId, 'member'),
      await newMember(browser.app, org.orgId, 'member'),
    ]
    for (const { memberId } of [bob, cleo]) await browser.app.operate((tx) => setPassword(tx, memberId, hash))
    const revoke = async ({ memberId }: SignedIn) => {
      await browser.app.operate((tx) =>
        tx.run({ text: 'delete from session where member_id = $1', values: [memberId] }),
      )
      browser.app.app.context.forgetMember(memberId)
    }
    const asked = (page: Page) => page.getByRole('dialog', { name: 'You were signed out' })
    const signIn = async (page: Page, { email }: SignedIn) => {
      await asked(page).getByLabel('E-mail').fill(email)
      await asked(page).getByLabel('Password', { exact: true }).fill(password)
      await page.keyboard.press('Enter')
      await asked(page).waitFor({ state: 'hidden' })
    }
    const type = async (page: Page, text: string) => {
      await editor(page).click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type(text)
    }
    const opened = await openTemplate({}, bob)
    const { page, id } = opened
    await type(page, '\nhis')
    await revoke(bob)
    await page.keyboard.type(' draft')
    await asked(page).waitFor()
    await requireNoFaults(opened)
    await signIn(page, bob)
    expect(await editor(page).textContent()).toContain('his draft')
    await page.getByRole('button', { name: 'Save' }).waitFor()

    await browser.app.operate((tx) => putMembership(tx, org.orgId, bob.memberId, 'viewer'))
    await revoke(bob)
    await page.keyboard.press('Control+s')
    await signIn(page, bob)
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).count(), patience).toBe(0)
    expect(await editor(page).textContent()).toContain('his draft')

    const { page: hers } = await browser.open(`/o/ORG/signatures/${id}`, cleo)
    await shown(hers).getByText('Tom Whitfield', { exact: true }).waitFor()
    await type(hers, '\nher')
    await revoke(cleo)
    await hers.keyboard.type(' draft')
    await signIn(hers, bob)
    await shown(hers).getByText('Tom Whitfield', { exact: true }).waitFor()
    expect(await editor(hers).textContent()).not.toContain('her')
    expect(await stored(id)).toMatchObject({ html })
  })

  test('a viewer reads a template, and can change nothing', async () => {
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const opened = await openTemplate({}, viewer)
    const { page } = opened
    for (const name of ['Save', 'Push', 'Insert a field', 'Choose mailboxes'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0)
    await editor(page).click()
    await page.keyboard.type('x')
    expect(await editor(page).textContent()).not.toContain('x')
    await requireNoFaults(opened)
  })
})
