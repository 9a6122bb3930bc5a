import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { postPage } from '../support/form-pages.ts'
import { newMember } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('forms in the console', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('a form is made, published, sent, and its submissions become spam, are restored and are reverted', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const owner = await newMember(browser.app, org.orgId)
    const opened = await browser.open('/o/ORG/forms', owner)
    const { page } = opened
    await page.getByText('There is no form yet').waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New form' })
    await dialog.getByLabel('Name', { exact: true }).fill('Brochures')
    const question = (n: number) => dialog.getByRole('group', { name: `Field ${n}` })
    for (const n of [1, 2]) {
      if ((await question(n).count()) === 0) await dialog.getByRole('button', { name: 'Add a field' }).click()
    }
    await dialog.getByRole('button', { name: 'Add a field' }).click()
    await page.locator(':focus').and(question(3).getByLabel('Question')).waitFor()
    await question(3).getByRole('button', { name: 'Remove field 3' }).click()
    await question(1).getByLabel('Question').fill('Your e-mail')
    await question(1).getByLabel('Answer', { exact: true }).selectOption('email')
    await question(1).getByLabel('Fills this field of the contact').selectOption('email')
    await question(2).getByLabel('Question').fill('Your city')
    await question(2).getByLabel('Answer', { exact: true }).selectOption('number')
    await question(2).getByLabel('Fills this field of the contact').selectOption('city')
    await requireNoFaultsInAllLooks(opened)
    await dialog.getByRole('button', { name: 'Create form' }).click()
    await question(2).getByText('city').last().waitFor()
    await question(2).getByLabel('Answer', { exact: true }).selectOption('text')
    await dialog.getByRole('button', { name: 'Create form' }).click()
    await page.getByRole('heading', { name: 'Brochures' }).waitFor()
    const [form] = (await org.get('/forms')).body.data
    expect(form.fields).toMatchObject([
      { type: 'email', maps_to: 'email' },
      { type: 'text', maps_to: 'city' },
    ])
    expect((await fetch(`${browser.app.app.address}/f/${form.form_id}`)).status).toBe(404)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('button', { name: 'Archive' }).waitFor()

    // The lines for another site have the id of the form, and the key that may show forms.
    const lines = page.getByRole('region', { name: 'The form on your site' })
    await page.getByRole('link', { name: 'make one in Tracking' }).waitFor()
    expect(await lines.textContent()).toContain('data-key="YOUR_WRITE_KEY"')
    expect(await page.getByRole('button', { name: 'Copy the lines' }).count()).toBe(0)
    await org.post('/write-keys', { name: 'Shop' })
    const { body } = await org.post('/write-keys', { name: 'Forms', purposes: ['forms'] })
    await page.reload()
    await lines.getByText(`data-key="${body.data.key}"`).waitFor()
    expect(await lines.textContent()).toContain(`<div data-crosswalk-embed="${form.form_id}"></div>`)
    const { data: other } = (await org.post('/write-keys', { name: 'Blog', purposes: ['forms'] })).body
    await page.reload()
    await page.getByLabel('Write key').selectOption('Blog')
    await lines.getByText(`data-key="${other.key}"`).waitFor()
    await page.getByRole('button', { name: 'Copy the lines' }).waitFor()

    const [email = '', city = ''] = form.fields.map(({ key }: { key: string }) => key)
    const answer = await postPage(browser.app, form.form_id, { [city]: 'Leeds', [email]: 'ada@example.com' })
    expect(answer.status).toBe(303)

    const rows = page.getByRole('table', { name: 'Submissions' }).getByRole('row')
    await page.getByRole('rowheader', { name: 'ada@example.com · Leeds' }).waitFor({ timeout: 20_000 })
    await requireNoFaultsInAllLooks(opened)
    await rows.nth(1).getByRole('button', { name: 'Spam' }).click()
    await page.getByText('There are none.').waitFor()
    const { contact_id: contactId } = (await org.get('/forms/submissions')).body.data[0]
    const archivedAt = async () => (await org.get(`/contacts/${contactId}`)).body.data.archived_at
    expect(await archivedAt()).not.toBe(null)
    await page.getByRole('radio', { name: 'Spam' }).check()
    await page.getByText('Somebody marked it.').waitFor()
    await rows.nth(1).getByRole('button', { name: 'Restore' }).click()
    await page.getByText('There are none.').waitFor()
    await page.getByRole('radio', { name: 'Accepted' }).check()
    await page.getByRole('rowheader', { name: 'ada@example.com · Leeds' }).waitFor()

    await page.getByRole('button', { name: 'Revert submissions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).click()
    await page.getByText('1 submission is reverted.').waitFor()
    await expect
      .poll(async () => (await org.get('/forms/submissions?status=reverted')).body.data.length, patience)
      .toBe(1)
    await page.getByRole('radio', { name: 'Reverted' }).check()
    await page.getByRole('rowheader', { name: 'ada@example.com · Leeds' }).waitFor()
  })

  test('questions in any script get a key, even if a question is repeated, and errors are shown at their fields', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const opened = await browser.open('/o/ORG/forms', await newMember(browser.app, org.orgId))
    const { page } = opened
    await page.getByText('There is no form yet').waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New form' })
    await dialog.getByLabel('Name', { exact: true }).fill('Tokyo')
    const labels = ['お名前', 'Your e-mail', '会社', 'Prénom', 'Prénom']
    for (const [index, label] of labels.entries()) {
      const question = dialog.getByRole('group', { name: `Field ${index + 1}` })
      if ((await question.count()) === 0) await dialog.getByRole('button', { name: 'Add a field' }).click()
      await question.getByLabel('Question').fill(label)
    }
    await dialog.getByText('Consent', { exact: true }).click()
    await dialog.getByLabel('Text that the person agrees to').fill('You may write to me.')
    await dialog.getByLabel('for e-mails').uncheck()
    await dialog.getByText('After sending', { exact: true }).click()
    const thanksPage = dialog.getByLabel('Page instead of the text')
    await thanksPage.fill('example.com/thanks')
    await dialog.getByRole('button', { name: 'Create form' }).click()
    await thanksPage.and(page.locator('[aria-invalid=true]')).waitFor()
    await dialog.getByText('Choose e-mails, calls, or both.').waitFor()
    expect(await dialog.locator('[aria-invalid=true]').count()).toBe(1)
    await requireNoFaultsInAllLooks(opened)
    await dialog.getByLabel('for e-mails').check()
    await thanksPage.fill('https://example.com/thanks')
    // A problem below a closed title opens it.
    const buttonText = dialog.getByLabel('Text of the button')
    await buttonText.fill('')
    await dialog.getByText('After sending', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Create form' }).click()
    await buttonText.and(page.locator('[aria-invalid=true]')).waitFor()
    await buttonText.fill('Send')
    await dialog.getByRole('button', { name: 'Create form' }).click()
    await page.getByRole('heading', { name: 'Tokyo' }).waitFor()
    const [form] = (await org.get('/forms')).body.data
    expect(form.fields.map(({ key }: { key: string }) => key)).toEqual([
      ...['field', 'your_email', 'field_2', 'prenom', 'prenom_2'],
    ])
  })

  test('a live form whose defined field was deleted shows what no longer fits', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const owner = await newMember(browser.app, org.orgId)
    const defined = { entity: 'contact', key: 'size', label: 'Size', type: 'select', options: ['S', 'XL'] }
    const { field_id: fieldId } = (await org.post('/fields', defined)).body.data
    const fields = [
      { key: 'size', label: 'Your size', type: 'select', options: ['S'], maps_to: 'custom.size' },
    ]
    await org.post('/forms', { name: 'Shirts', status: 'live', fields })
    await org.delete(`/fields/${fieldId}`)
    const opened = await browser.open('/o/ORG/forms', owner)
    const { page } = opened
    await page.getByText('has a problem').waitFor()
    await page.getByRole('link', { name: 'Shirts' }).click()
    await page.getByRole('alert').getByText('The answers to “Your size” stay in the submissions').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    const filled = dialog.getByLabel('Fills this field of the contact')
    await filled.getByText('size (deleted)', { exact: true }).waitFor({ state: 'attached' })
    await filled.selectOption({ label: 'Nothing' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })
})
