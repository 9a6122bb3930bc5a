import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, waitToShow, withClock } from '../support/console.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

type Fault = { name: string; answer: (route: Route) => Promise<void>; says: RegExp }

const failed = (name: string, status: number, text: string, says: RegExp): Fault => ({
  name,
  says,
  answer: (route) =>
    route.fulfill({
      status,
      headers: { 'content-type': 'application/json', 'retry-after': '1' },
      body: text,
    }),
})

/** The failures that the test sends instead of an answer. The client retries a 503 and a lost connection first. */
const faults: Fault[] = [
  failed('a 500', 500, '{"detail":"Something broke","code":"internal_error"}', /Something broke/),
  failed('a 503', 503, '{"detail":"The database is away","code":"unavailable"}', /The database is away/),
  failed('an HTML page of a proxy', 502, '<html><h1>Bad gateway</h1></html>', /No answer from Crosswalk/),
  failed('half an answer', 500, '{"detail":"Someth', /No answer from Crosswalk/),
  failed('a 422 without a field', 422, '{"detail":[],"code":"validation_error"}', /./),
  {
    name: 'no answer',
    answer: (route) => route.abort('connectionrefused'),
    says: /No answer from Crosswalk/,
  },
  { name: 'an offline browser', answer: (route) => route.abort('internetdisconnected'), says: /No answer/ },
]

/** A form: how a person fills it, the button that sends it, and what it must keep. */
type Form = {
  name: string
  path: string
  fill: (page: Page) => Promise<unknown>
  send: string
  kept: Record<string, string>
}

const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const forms: Form[] = [
  {
    name: 'sign-in',
    path: '/sign-in',
    fill: (page) => page.getByLabel('Password', { exact: true }).fill('seven green bicycles'),
    send: 'Sign in',
    kept: { 'E-mail': 'ada@acme.example', Password: 'seven green bicycles' },
  },
  {
    name: 'organization',
    path: '/o/ORG/settings/organization',
    fill: async () => {},
    send: 'Save',
    kept: { Name: 'Lantern Row and Sons' },
  },
  {
    name: 'API key',
    path: '/o/ORG/settings/api',
    fill: (page) => page.getByRole('main').getByText('New key').click(),
    send: 'Create key',
    kept: { Name: 'Nightly sync' },
  },
  {
    name: 'invitation',
    path: '/o/ORG/settings/members',
    fill: (page) => page.getByRole('main').getByText('Invite', { exact: true }).click(),
    send: 'Create the link',
    kept: { 'E-mail': 'grace@acme.example' },
  },
  {
    name: 'webhook endpoint',
    path: '/o/ORG/settings/webhooks',
    fill: (page) => page.getByRole('main').getByText('New endpoint').click(),
    send: 'Create endpoint',
    kept: { Address: 'https://crm.example.com/hooks', 'Description (optional)': 'Mirror of contacts' },
  },
  {
    name: 'sandbox',
    path: '/o/ORG/settings/sandboxes',
    fill: (page) => page.getByRole('main').getByText('New sandbox').click(),
    send: 'Create sandbox',
    kept: { Name: 'Trial' },
  },
  {
    name: 'write key',
    path: '/o/ORG/settings/tracking',
    fill: (page) => page.getByRole('main').getByText('New key').click(),
    send: 'Create write key',
    kept: { Name: 'www.example.com' },
  },
  {
    name: 'single sign-on',
    path: '/o/ORG/settings/security',
    fill: async () => {},
    send: 'Save',
    kept: { Issuer: 'https://idp.example', 'Client id': 'crosswalk', 'Client secret': 'a secret' },
  },
]

describe.runIf(chromium)('whatever the server answers, a form says it and keeps what was typed', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    owner = await newMember(browser.app, (await browser.app.newOrg({ name: 'Lantern Row' })).orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test.each(forms)(
    'the $name form shows each failure and keeps what was typed',
    async ({ path, fill, send, kept }) => {
      const opened = await browser.open(path, path === '/sign-in' ? null : owner, withClock)
      const { page } = opened
      await page.getByRole('button').first().waitFor()
      let fault: Fault | undefined
      let sent = 0
      await page.route('**/console/api/**', (route) => {
        if (!fault || route.request().method() === 'GET') return route.continue()
        sent++
        return fault.answer(route)
      })
      await fill(page)
      for (const [label, value] of Object.entries(kept))
        await page.getByLabel(label, { exact: true }).fill(value)
      for (const each of faults) {
        fault = each
        sent = 0
        await click(page, send)
        await waitToShow(opened, page.getByRole('alert').filter({ hasText: each.says }))
        expect([each.name, sent > 0]).toEqual([each.name, true])
        for (const [label, value] of Object.entries(kept))
          expect([each.name, label, await page.getByLabel(label, { exact: true }).inputValue()]).toEqual([
            each.name,
            label,
            value,
          ])
      }
      expect(opened.faults).toEqual([])
    },
  )
})
