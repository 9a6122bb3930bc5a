import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { chromiumOfProcess, type Opened } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newLiveForm, openedChallenge, browser as userAgent } from '../support/form-pages.ts'
import { pageNamed } from '../support/markdown.ts'
import { patience } from '../support/patience.ts'
import { SdkSite } from '../support/sdk-site.ts'

const chromium = chromiumOrSkip()

const hostile = `<img src=x onerror="globalThis.hit=1">`
const fields = [
  { key: 'email', label: 'E-mail', type: 'email', required: true, maps_to: 'email', hint: 'For the answer.' },
  { key: 'phone', label: 'Phone', type: 'phone' },
  { key: 'size', label: 'Size', type: 'select', options: ['Small', hostile] },
  { key: 'topics', label: 'Topics', type: 'multi_select', options: ['Tea', 'Milk'] },
  { key: 'score', label: 'Score', type: 'scale' },
  { key: 'wish', label: `Wish ${hostile}`, type: 'textarea' },
]
const consent = { text: 'You may call me.', channels: ['phone'] }

describe.runIf(chromium)('forms in a browser', () => {
  let app: TestApp
  let site: SdkSite
  const contexts: BrowserContext[] = []
  beforeAll(async () => {
    app = await startTestApp()
    site = new SdkSite(app.address)
    await site.start()
  })
  afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())))
  afterAll(async () => {
    site.stop()
    await app.close()
  })

  async function open(options: { javaScriptEnabled?: boolean } = {}): Promise<Opened> {
    const browser = await chromiumOfProcess(chromium ?? '')
    const context = await browser.newContext({ baseURL: app.address, userAgent, ...options })
    contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(patience.timeout)
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !/^Failed to load/.test(message.text())) faults.push(message.text())
    })
    return { page, context, faults }
  }

  const submissionsOf = async (org: TestOrg) => (await org.get('/forms/submissions')).body.data

  /** Opens the hosted page as it would be 10 s after the person opened it. */
  async function openPage(page: Page, formId: string): Promise<void> {
    const challenge = /(?<=name="challenge" value=")[^"]+/
    await page.route(`**/f/${formId}`, async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      const answer = await route.fetch()
      const body = (await answer.text()).replace(challenge, openedChallenge(formId))
      await route.fulfill({ response: answer, body })
    })
    await page.goto(`/f/${formId}`)
  }

  test.each([true, false])(
    'the hosted page is accessible, and works with the keyboard (script: %s)',
    async (javaScriptEnabled) => {
      const org = await app.newOrg()
      const { formId } = await newLiveForm(org, { fields, consent, title: `Ask ${hostile}` })
      const opened = await open({ javaScriptEnabled })
      const { page } = opened
      await openPage(page, formId)
      if (javaScriptEnabled) await requireNoFaultsInAllLooks(opened)
      await page.getByLabel('E-mail').focus()
      await page.keyboard.type('ada@example.com')
      await page.keyboard.press('Tab')
      await page.keyboard.type('12')
      await page.getByLabel('Size').selectOption('Small')
      await page.getByLabel('Milk').check()
      await page.getByText('10', { exact: true }).click()
      await page.getByLabel('You may call me.').check()
      await page.keyboard.press('Enter')
      await page.getByText('Enter a phone number').first().waitFor()
      if (javaScriptEnabled) await requireNoFaultsInAllLooks(opened)
      expect(await page.getByLabel('E-mail').inputValue()).toBe('ada@example.com')
      expect(await page.getByLabel('Milk').isChecked()).toBe(true)
      await page.getByLabel('Phone').fill('+12025550100')
      // The page of the errors has a challenge of its own, which is too recent.
      await page
        .locator('[name=challenge]')
        .evaluate((input, value) => input.setAttribute('value', value), openedChallenge(formId))
      await page.getByRole('button').click()
      await page.getByText('We got your answers').waitFor()
      expect(await submissionsOf(org)).toMatchObject([
        {
          ...{ status: 'accepted', consent: true },
          answers: { phone: '+12025550100', size: 'Small', topics: ['Milk'], score: 10 },
        },
      ])
      expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false)
    },
  )

  /** Opens a page of a site with the script, whose challenges are 10 s old. */
  async function openSite(name: string, formId: string, html: string): Promise<Opened> {
    const csp = `default-src 'none'; script-src ${app.address}; connect-src ${app.address}; form-action 'self'`
    site.serve(name, { head: html, csp })
    const opened = await open()
    await opened.page.route('**/definition*', async (route) => {
      const answer = await route.fetch()
      const json = { ...(await answer.json()), challenge: openedChallenge(formId) }
      await route.fulfill({ response: answer, json })
    })
    await opened.page.goto(`http://a.localhost:${site.port}/${name}`)
    return opened
  }

  test('the lines of the guide show a form in a page with a strict policy, and send it', async () => {
    const org = await app.newOrg()
    const form = await newLiveForm(org, { fields, consent, title: `Ask ${hostile}` })
    const [guide] = pageNamed('docs/guides/forms.md').blocks.filter(({ language }) => language === 'html')
    const html = (guide?.text ?? '')
      .replace(/(?<=embed=")[^"]+/, form.formId)
      .replace('https://crosswalk.example.com', app.address)
      .replace('wk_live_…', form.key)
    const { page, faults } = await openSite('embedded', form.formId, html)
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByLabel('Phone').fill('12')
    await page.getByRole('button').click()
    await page.getByText('Enter a phone number').waitFor()
    await page.getByLabel('Phone').fill('+12025550100')
    await page.getByLabel('Tea').check()
    await page.getByLabel('You may call me.').check()
    await page.getByRole('button').click()
    await page.getByText('We got your answers').waitFor()
    expect(await submissionsOf(org)).toMatchObject([
      { status: 'accepted', consent: true, answers: { email: 'ada@example.com', topics: ['Tea'] } },
    ])
    expect([faults, await page.evaluate(() => 'hit' in globalThis)]).toEqual([[], false])
  })

  test('a form that an offline browser cannot send keeps its answers, says so, and is sent later', async () => {
    const org = await app.newOrg()
    const { formId, key } = await newLiveForm(org, { fields: fields.slice(0, 1) })
    const html = `<div data-crosswalk-embed="${formId}"></div><script async src="${app.address}/sdk/forms-v1.js" data-key="${key}"></script>`
    const { page, context } = await openSite('offline', formId, html)
    await page.getByLabel('E-mail').fill('ada@example.com')
    await context.setOffline(true)
    await page.getByRole('button').click()
    await page.getByText('The form was not sent. Try again.').waitFor()
    await context.setOffline(false)
    await page.getByRole('button').click()
    await page.getByText('We got your answers').waitFor()
    expect(await submissionsOf(org)).toMatchObject([{ answers: { email: 'ada@example.com' } }])
  })

  test('from a form of the site, only declared answers that are not secrets are sent', async () => {
    const org = await app.newOrg()
    const form = await newLiveForm(org, {
      fields: ['email', 'wish', 'word', 'code', 'paid'].map((key) => ({ key, label: key })),
    })
    const html = `<form data-crosswalk-form="${form.formId}" action="/other">
      <input name="email" aria-label="E-mail"><input name="wish"><input name="other" value="x">
      <input name="word" type="password"><input name="code" autocomplete="one-time-code"><input name="paid" id="card">
      <button>Go</button></form>
      <script async src="${app.address}/sdk/forms-v1.js" data-key="${form.key}"></script>`
    const { page } = await openSite('own', form.formId, html)
    const read = page.waitForResponse(/definition/)
    await page.reload()
    await read
    await page.getByLabel('E-mail').fill('ada@example.com')
    for (const [name, value] of [
      ['wish', '4111 1111 1111 1111'],
      ['word', 'secret'],
      ['code', '123456'],
      ['paid', '1'],
    ] as const)
      await page.locator(`[name=${name}]`).fill(value)
    await page.getByRole('button').click()
    await page.waitForURL(/other/)
    await expect
      .poll(() => submissionsOf(org), patience)
      .toMatchObject([{ answers: { email: 'ada@example.com' } }])
    expect(Object.keys((await submissionsOf(org))[0].answers)).toEqual(['email'])
  })
})
