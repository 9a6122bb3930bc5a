import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addCallBackForm, allDay, askForCall, newCallBackForm, requestsOf } from '../support/call-back.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { postPage } from '../support/form-pages.ts'
import { newMember } from '../support/members.ts'
import { simulatedCalls } from '../support/simulated-calls.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('call-back requests in the console', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '', { trustProxy: true })
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  /** A number of the US as the console shows it. */
  const shown = (number: string) => number.replace(/(\d{3})(\d{3})(\d{4})$/, ' $1 $2 $3')
  const grace = shown('+12025550100')

  test('a form gets calls in its dialog, somebody asks on its page, and a member calls with 3 clicks', async () => {
    const org = await simulatedCalls(browser.app).caller()
    await org.post('/contacts', { first_name: 'Other', email: 'other@example.com' })
    const opened = await browser.open('/o/ORG/forms', await newMember(browser.app, org.orgId))
    const { page } = opened
    await page.getByText('There is no form yet').waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New form' })
    await dialog.getByLabel('Name', { exact: true }).fill('Call me back')
    await dialog.getByRole('button', { name: 'Remove field 2' }).click()
    await dialog.getByRole('button', { name: 'Calls', exact: true }).click()
    await dialog.getByRole('radio', { name: 'After approval' }).check()
    await dialog.getByLabel('Countries whose numbers may be called').selectOption('US')
    const create = dialog.getByRole('button', { name: 'Create form' })
    await create.click()
    await dialog.getByText(/The form needs exactly one field of the type phone/).waitFor()
    await dialog.getByRole('button', { name: 'Add them' }).click()
    await dialog.getByRole('button', { name: 'Remove United States' }).click()
    await create.click()
    await dialog
      .getByLabel('Countries whose numbers may be called')
      .and(page.locator('[aria-invalid]'))
      .waitFor()
    await requireNoFaultsInAllLooks(opened)
    await dialog.getByLabel('Countries whose numbers may be called').selectOption('US')
    await dialog.getByLabel('Calls from').fill(allDay().start)
    await dialog.getByLabel('Calls until').fill(allDay().end)
    await dialog.getByLabel('What to say on these calls').fill('Offer a demo.')
    await create.click()
    await page.getByRole('heading', { name: 'Call me back' }).waitFor()
    const [form] = (await org.get('/forms')).body.data
    expect(form).toMatchObject({
      call_back: { approval: 'manual', countries: ['US'], hours: allDay(), instructions: 'Offer a demo.' },
      consent: { channels: ['phone'], required: true },
    })
    await button(page, 'Publish').click()
    await button(page, 'Archive').waitFor()

    const answers = { first_name: 'Grace', phone: '(202) 555-0100', consent: 'on' }
    expect((await postPage(browser.app, form.form_id, answers)).status).toBe(303)
    await page.goto(`/console/o/${org.orgId}`)
    await page.getByText('One person asked to be called').waitFor()
    await page.goto(`/console/o/${org.orgId}/calls`)
    await page.getByRole('link', { name: 'Requests 1 waiting' }).waitFor()
    await page.goBack()
    let clicks = 0
    const click = (control: ReturnType<typeof button>) => {
      clicks += 1
      return control.click()
    }
    await click(page.getByRole('link', { name: 'Decide' }))
    await page.getByRole('link', { name: 'Grace' }).waitFor()
    await requireNoFaultsInAllLooks(opened)
    await click(button(page, `Call ${grace}`))
    const asked = page.getByRole('dialog', { name: `Call Grace at ${grace}?` })
    await asked.waitFor()
    expect(await simulatedCalls(browser.app).dials(org)).toBe(0)
    await requireNoFaultsInAllLooks(opened)
    await click(asked.getByRole('button', { name: `Call ${grace}` }))
    await page.getByText(`${grace} is being called.`).waitFor()
    expect([clicks, await simulatedCalls(browser.app).dials(org)]).toEqual([3, 1])
    await page.getByText('Nobody waits for a call').waitFor()
    await button(page, 'Open the call').click()
    await page.getByText('Id at the provider').waitFor()
    await page.getByText('Offer a demo.').waitFor()
    await page.goto(`/console/o/${org.orgId}/calls/requests?status=called`)
    await page.getByRole('link', { name: `Open the call to ${grace}` }).waitFor()
  })

  test('the page declines, suppresses, and says why a call is refused', async () => {
    const { org, form } = await newCallBackForm(browser.app)
    const [declined, late, suppressed, closed] = [
      '+12025550104',
      '+12025550141',
      '+12025550142',
      '+12025550143',
    ]
    const ask = async (to: string, of = form) =>
      expect((await askForCall(browser.app, of, to)).status).toBe(200)
    for (const to of [declined, late, suppressed, suppressed]) await ask(to)
    // These hours are closed in a part of the country at any time.
    await ask(closed, await addCallBackForm(org, { hours: { start: '12:00', end: '12:01' } }))
    const opened = await browser.open('/o/ORG/calls', await newMember(browser.app, org.orgId))
    const { page } = opened
    await page.getByRole('link', { name: 'Requests' }).click()
    const rows = page.getByRole('table', { name: 'Call-back requests' }).locator('tbody tr')
    await rows.nth(3).waitFor()

    // The keyboard: the dialog starts at Cancel, and Escape returns to the button.
    await button(page, `Decline ${shown(declined)}`).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await button(page, `Decline ${shown(declined)}`)
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Also never call this number again').check()
    await requireNoFaultsInAllLooks(opened)
    await dialog.getByRole('button', { name: 'Decline', exact: true }).click()
    await page.getByText(`${shown(declined)} is never called.`).waitFor()
    expect((await org.get('/voice/suppressions')).body.data).toMatchObject([{ number: declined }])

    // Somebody else decides while the dialog is open.
    await button(page, `Call ${shown(late)}`).click()
    const [{ request_id: id }] = await requestsOf(org, `number=${encodeURIComponent(late)}`)
    expect((await org.post(`/call-back-requests/${id}/approve`, {})).status).toBe(201)
    await dialog.getByRole('button', { name: `Call ${shown(late)}` }).click()
    await page.getByText('This request is called, so it can no longer be decided.').waitFor()
    await button(page, `Call ${shown(late)}`).waitFor({ state: 'detached' })

    await org.post('/voice/suppressions', { number: suppressed })
    await button(page, `Call ${shown(suppressed)}`).click()
    await dialog.getByRole('button', { name: `Call ${shown(suppressed)}` }).click()
    await dialog.getByText('This number is on your list of numbers that are never called.').waitFor()
    await requireNoFaults(opened)
    await page.keyboard.press('Escape')
    await button(page, `Call ${shown(closed)}`).click()
    await dialog.getByRole('button', { name: `Call ${shown(closed)}` }).click()
    await dialog.getByText(/outside of the calling hours 12:00 to 12:01/).waitFor()
    await dialog.getByText('If you know where the person is, name the time zone.').waitFor()
    await dialog.getByLabel('Time zone of the person').fill('Mars/Olympus')
    await dialog.getByRole('button', { name: `Call ${shown(closed)}` }).click()
    await dialog.getByText(/a timezone is a name of the IANA database/i).waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.keyboard.press('Escape')

    await page.getByLabel('Status').selectOption('refused')
    await page.getByText('Somebody asked for calls to this number before.').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.getByLabel('Status').selectOption('all')
    await rows.nth(4).waitFor()
    await page.goto(`/console/o/${org.orgId}/calls/requests?mode=test`)
    await page.getByText('Nobody waits for a call').waitFor()

    const viewer = await browser.open(
      '/o/ORG/calls/requests',
      await newMember(browser.app, org.orgId, 'viewer'),
    )
    await viewer.page.getByText('There are no older requests').waitFor()
    expect(await viewer.page.getByRole('button', { name: /^(Call|Decline) / }).count()).toBe(0)
    await requireNoFaultsInAllLooks(viewer)
    expect(await simulatedCalls(browser.app).dials(org)).toBe(1)
  })
})
