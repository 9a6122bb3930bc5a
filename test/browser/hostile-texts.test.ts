import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { askForCall, callConsent, newCallBackForm, phoneField, requestsOf } from '../support/call-back.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { sendForm, browser as userAgent } from '../support/form-pages.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'
import { sendBatch } from '../support/tracking-clients.ts'
import { visitorPath } from '../support/web-visitors.ts'

const chromium = chromiumOrSkip()

/** A text that runs a script if a page shows it as HTML, in an attribute, as a template or as an address. */
const hostile = (name: string) =>
  `${name}"><img src=x onerror=globalThis.hit=1><script>globalThis.hit=1</script>'\`\${hit=1}{{hit=1}}`
const address = 'javascript:globalThis.hit=1'

/** Elements that only hostile texts can make, and addresses that run scripts. */
const injected = (page: Page) =>
  page.evaluate(() => ({
    hit: 'hit' in globalThis,
    elements: document.querySelectorAll('img[src="x"], body script:not([src]):not([type]), [onerror]').length,
    addresses: [...document.querySelectorAll('[href], [src], [action]')]
      .flatMap((element) => ['href', 'src', 'action'].map((name) => element.getAttribute(name) ?? ''))
      .filter((value) => /^\s*(javascript|vbscript|data:text)/i.test(value)),
  }))

describe.runIf(chromium)('texts that visitors send', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  let formId: string
  let contactId: string
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '', { trustProxy: true })
    org = (await newCallBackForm(browser.app)).org
    await org.patch('/tracking/settings', { identify_creates: true })
    owner = await newMember(browser.app, org.orgId)
    const form = await newHostileForm()
    formId = form.formId
    const answers = { first_name: hostile('First'), wish: hostile('Wish'), web: 'https://x.example/"><b>' }
    const body = { anonymousId: 'a1', pageUrl: `https://shop.example/${hostile('Path')}` }
    await askForCall(browser.app, form, '+12025550100', {
      ...{ answers: { ...answers, phone: '+12025550100' }, ...body },
    })
    await sendForm(browser.app, form, {
      answers: { phone: '+12025550104', ...answers },
      ...{ consent: true, honeypot: 'x', ...body },
    })
    contactId = (await requestsOf(org))[0].contact_id
    await sendHostileEvents()
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  async function newHostileForm() {
    const fields = [
      { ...phoneField, label: hostile('Phone').slice(0, 100), hint: hostile('Hint') },
      { key: 'first_name', label: 'First name', maps_to: 'first_name' },
      { key: 'wish', label: hostile('Label'), type: 'textarea' },
      { key: 'web', label: 'Web', type: 'url' },
      { key: 'pick', label: 'Pick', type: 'select', options: [hostile('Option')] },
    ]
    const form = await org.post('/forms', {
      ...{ name: hostile('Form'), title: hostile('Title'), description: hostile('Intro'), status: 'live' },
      ...{ fields, submit_label: '"><b>Send', thank_you: { text: hostile('Thanks') } },
      consent: { ...callConsent, text: hostile('Consent') },
      call_back: { countries: ['US'], instructions: hostile('Say') },
    })
    expect(form.status, form.text).toBe(201)
    const key = await org.post('/write-keys', { name: hostile('Key').slice(0, 100), purposes: ['forms'] })
    expect(key.status, key.text).toBe(201)
    return { formId: form.body.data.form_id as string, key: key.body.data.key as string }
  }

  async function sendHostileEvents() {
    const { key } = (await org.post('/write-keys', { name: 'Site' })).body.data
    const page = { path: `/${hostile('Page')}`, title: hostile('Title'), url: address, referrer: address }
    const campaign = { source: hostile('Source'), medium: hostile('Medium'), name: hostile('Campaign') }
    const context = { page, campaign, locale: hostile('Locale'), session_id: hostile('Session') }
    const traits = { firstName: hostile('Claimed'), company: hostile('Company'), website: address }
    await sendBatch(
      browser.app,
      key,
      [
        { type: 'page', name: hostile('View'), context },
        {
          event: hostile('Event'),
          properties: { [hostile('Name')]: hostile('Value'), url: address },
          context,
        },
        { type: 'identify', userId: hostile('User'), traits, context },
        { type: 'identify', anonymousId: 'a2', userId: 'u2', traits, context },
        // A dropped event, whose sample the settings show.
        { type: hostile('Type'), anonymousId: hostile('Anonymous') },
      ].map((event) => ({ messageId: randomUUID(), ...event })),
      { 'user-agent': userAgent },
    )
  }

  test('every page of the console shows them as text', async () => {
    // The visitor's own contact has the name of the form until the identify event is applied.
    const person = /(First|Claimed)">/
    const pages: [string, string | RegExp, ((page: Page) => Promise<unknown>)?][] = [
      ['', 'One person asked to be called'],
      [
        '/web-events',
        /Event">/,
        (page) =>
          page
            .getByRole('button', { name: /Event">/ })
            .first()
            .click(),
      ],
      ['/visitors', /User">/],
      [visitorPath(org), /User">/, (page) => page.getByRole('table', { name: 'Events' }).waitFor()],
      ['/forms', /Form">/],
      [`/forms/${formId}`, /Wish">/, (page) => page.getByRole('radio', { name: 'Spam' }).check()],
      [`/forms/${formId}`, /Wish">/, (page) => page.getByRole('button', { name: 'Edit' }).click()],
      [
        '/calls/requests',
        person,
        (page) =>
          page
            .getByRole('button', { name: /^Call / })
            .first()
            .click(),
      ],
      ['/people', person],
      [
        `/people/${contactId}`,
        person,
        async (page) => {
          await page.getByRole('radio', { name: 'Activity' }).check()
          await page
            .getByText(/Form">/)
            .first()
            .waitFor()
        },
      ],
      ['/reports', /Page("|%22)/],
      ['/settings/tracking', 'Site'],
      ['/events', 'form submission created'],
    ]
    const opened = await browser.open('/o/ORG', owner)
    opened.page.setDefaultTimeout(20_000)
    for (const [path, shown, act] of pages) {
      await opened.page.goto(`/console/o/${org.orgId}${path}`, { waitUntil: 'commit' })
      await opened.page.getByText(shown).first().waitFor()
      await act?.(opened.page)
      for (const disclosure of await opened.page.locator('summary').all()) await disclosure.click()
      const found = { path, ...(await injected(opened.page)), faults: opened.faults }
      expect(found).toEqual({ path, hit: false, elements: 0, addresses: [], faults: [] })
    }
  }, 60_000)

  test('the hosted page, its errors and its thanks show them as text', async () => {
    const opened = await browser.open(`/../f/${formId}`, null)
    const { page } = opened
    await page
      .getByText(/Title">/)
      .first()
      .waitFor()
    await page.getByLabel(/Label">/).fill(hostile('Typed'))
    // The server finds the faults, not the browser.
    await page.locator('form').evaluate((form) => form.setAttribute('novalidate', ''))
    await page.getByRole('button').click()
    await page.getByText('The form was not sent.').waitFor()
    expect(await page.getByLabel(/Label">/).inputValue()).toBe(hostile('Typed'))
    const clean = { hit: false, elements: 0, addresses: [] }
    expect(await injected(page)).toMatchObject({ ...clean, elements: expect.any(Number) })
    expect(await page.locator('img, [onerror]').count()).toBe(0)
    await page.goto(`/f/${formId}/thanks`)
    await page.getByText(/Thanks">/).waitFor()
    expect([await injected(page), opened.faults]).toEqual([clean, []])
    await expect.poll(() => page.evaluate(() => 'hit' in globalThis), patience).toBe(false)
  })
})
