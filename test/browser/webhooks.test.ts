import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened, waitToHide, waitToShow, withClock } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'
import { passHours, readState } from '../support/webhooks/endpoints.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('webhooks', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  const receivers: Receiver[] = []
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '', { outboundAllowPrivate: true })
  })
  afterEach(async () => {
    await browser.closeAll()
    for (const receiver of receivers.splice(0)) receiver.close()
  })
  afterAll(() => browser.close())

  async function begin(): Promise<Receiver> {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
    const receiver = await startReceiver()
    receivers.push(receiver)
    return receiver
  }

  /** Opens the page of a new endpoint that was created through the API. */
  async function openEndpoint(receiver: Receiver, types = ['contact.*']): Promise<[Opened, string]> {
    const { body } = await org.post('/webhooks/endpoints', { url: receiver.url, types })
    receiver.secrets.push(body.data.secret)
    const opened = await browser.open(`/o/ORG/settings/webhooks/${body.data.endpoint_id}`, owner, withClock)
    await opened.page.getByRole('heading', { name: receiver.url }).waitFor()
    return [opened, body.data.endpoint_id]
  }

  /** Waits until the endpoint is `failing`, and shortens the waits between tries. */
  async function untilFailing(endpointId: string): Promise<void> {
    const statusAfterTry = async () => {
      await passHours(browser.app.app, org.orgId, endpointId, 0.01)
      return (await readState(browser.app.app, org.orgId, endpointId)).status
    }
    await expect.poll(statusAfterTry, { ...patience, interval: 50 }).toBe('failing')
  }

  test('an endpoint for chosen types is created, its secret is shown once, and the secret verifies deliveries', async () => {
    const receiver = await begin()
    const filter = { field: 'email', op: 'is_null', value: false }
    await org.post('/segments', { entity: 'contact', name: 'With an address', filter })
    const opened = await browser.open('/o/ORG/settings/webhooks', owner, withClock)
    const { page } = opened
    await page.getByText('No program gets events yet').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await page.keyboard.press('c')
    await page.getByLabel('Address').fill('ftp://crm.example.com')
    await page.getByText('Only some', { exact: true }).click()
    await page.getByLabel('Contact all').uncheck()
    await page.getByRole('searchbox', { name: 'Search' }).fill('deal won')
    await page.getByLabel(/^deal\.closed/).check()
    await page.getByRole('searchbox', { name: 'Search' }).fill('contact cre')
    await page.getByLabel(/^contact\.created/).check()
    await page.getByText('Chosen: deal.closed, contact.created').waitFor()
    await page.getByLabel('Records').selectOption({ label: 'With an address (people)' })
    await page.getByText('Thin', { exact: true }).click()
    await page.getByRole('button', { name: 'Headers and limits' }).click()
    await page.getByRole('button', { name: 'Add a header' }).click()
    await page.getByLabel('Name 1').fill('X-Gateway-Key')
    await page.getByLabel('Value 1').fill('open sesame')
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Create endpoint' }).click()
    await page.getByText(/must begin with https/).waitFor()
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByRole('button', { name: 'Create endpoint' }).click()
    await page.getByText('Copy the secret now').waitFor()
    const secret = (await page.locator('dialog code').textContent()) ?? ''
    receiver.secrets.push(secret)
    await page.keyboard.press('Escape')
    await page.getByText('Copy the secret first').waitFor()
    await requireNoFaults(opened)
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Nothing was sent yet').waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.getByText('only those in').getByRole('link', { name: 'With an address' }).waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await org.post('/contacts', { email: 'ada@example.com' })
    await waitToShow(opened, page.getByRole('row', { name: /contact\.created.*delivered/ }))
    const [got] = receiver.requests
    expect(got?.body.data).not.toHaveProperty('object')
    expect([got?.headers['x-gateway-key'], receiver.badSignatures]).toEqual(['open sesame', 0])
  })

  test('the page of a failing endpoint says what failed and that no event is lost; an attempt shows the answer', async () => {
    const receiver = await begin()
    receiver.behave(() => 500)
    const [opened, endpointId] = await openEndpoint(receiver)
    const { page } = opened
    await org.post('/contacts', { email: 'ada@example.com' })
    await untilFailing(endpointId)
    await waitToShow(opened, page.getByText('No event is lost'))
    await page
      .getByRole('button', { name: /contact\.created/ })
      .first()
      .click()
    await page.getByText('It answered 500').waitFor()
    await page.getByLabel('The beginning of the answer').getByText('answered 500').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    receiver.behave(() => 200)
    await page.getByRole('button', { name: 'Try now' }).click()
    await waitToShow(opened, page.getByRole('row', { name: /contact\.created.*delivered/ }))
    await waitToHide(opened, page.getByText('No event is lost'))
    await page.getByText('Delivered', { exact: true }).last().click()
    const attempts = page.getByRole('table', { name: 'Attempts' })
    await expect.poll(() => attempts.getByRole('row', { name: /failed/ }).count(), patience).toBe(0)
    expect(page.url()).toContain('outcome=delivered')
    await page.getByRole('link', { name: 'All endpoints' }).click()
    await page.getByRole('row', { name: new RegExp(`${receiver.url}.*on`) }).waitFor()
  })

  test('the result of a test says how the endpoint answered, or that no answer came', async () => {
    const receiver = await begin()
    const [opened] = await openEndpoint(receiver, ['deal.closed', 'contact.*'])
    const { page } = opened
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByLabel('Type of the event').selectOption('deal.closed')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText(/Delivered: it answered 200/).waitFor()
    expect(receiver.requests.map(({ body }) => body.type)).toEqual(['deal.closed'])
    receiver.behave(() => 404)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText(/Not delivered: it answered 404/).waitFor()
    await requireNoFaults(opened)
    receiver.behave(() => (response) => response.destroy())
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText(/No answer after/).waitFor()
    // Nothing is unsaved, so the dialog does not ask.
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  test('Resend sends a refused event again at once', async () => {
    const receiver = await begin()
    receiver.behave(() => 404)
    const [opened] = await openEndpoint(receiver)
    const { page } = opened
    await org.post('/contacts', { email: 'ada@example.com' })
    const row = page.getByRole('row', { name: /contact\.created/ }).first()
    await waitToShow(opened, row.getByText('failed'))
    receiver.behave(() => 200)
    await row.hover()
    await row.getByRole('button', { name: 'Resend contact.created' }).click()
    await waitToShow(opened, page.getByRole('row', { name: /contact\.created.*delivered/ }))
    await waitToShow(opened, page.getByText('none since then'))
    expect(new Set(receiver.requests.map(({ body }) => body.event_id)).size).toBe(1)
  })

  test('a replay of a period shows its progress, even after a reload', async () => {
    const receiver = await begin()
    const [opened] = await openEndpoint(receiver)
    const { page } = opened
    for (const name of ['ada', 'bo', 'cy']) await org.post('/contacts', { email: `${name}@example.com` })
    await expect.poll(() => receiver.requests.length, patience).toBe(3)
    await page.getByRole('button', { name: 'Send a period again' }).click()
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Send again' }).click()
    await waitToShow(opened, page.getByText('Sent again: 3 events'))
    expect(receiver.requests.length).toBe(6)
    await page.reload()
    await page.getByText('Sent again: 3 events').waitFor()
    await requireNoFaultsInTwoThemes(opened)
  })

  test('a rotation keeps the old secret for the chosen time, and a second rotation warns that both secrets stop', async () => {
    const receiver = await begin()
    const [opened] = await openEndpoint(receiver)
    const { page } = opened
    const rotate = page.getByRole('button', { name: 'Rotate the secret' })
    await rotate.click()
    await page.getByText('1 hour', { exact: true }).click()
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByText('Copy the secret now').waitFor()
    await page.getByText(/The old secret signs too until/).waitFor()
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Old secret', { exact: true }).waitFor()
    await org.post('/contacts', { email: 'ada@example.com' })
    await expect.poll(() => receiver.requests.length, patience).toBe(1)
    expect(receiver.badSignatures).toBe(0)
    await rotate.click()
    await page.getByText(/both older secrets stop at once/).waitFor()
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByText('Copy the secret now').waitFor()
    await org.post('/contacts', { email: 'bo@example.com' })
    await expect.poll(() => receiver.badSignatures, patience).toBe(1)
  })

  test('an endpoint is disabled, enabled without the missed events, and deleted', async () => {
    const receiver = await begin()
    const [opened] = await openEndpoint(receiver)
    const { page } = opened
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Disable' }).last().click()
    await page.getByText('A person or a program disabled it.').waitFor()
    await org.post('/contacts', { email: 'missed@example.com' })
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('button', { name: 'Enable it' }).click()
    await page.getByText('Skip them').click()
    await page.getByRole('button', { name: 'Enable', exact: true }).last().click()
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    await org.post('/contacts', { email: 'later@example.com' })
    await expect.poll(() => receiver.requests.length, patience).toBe(1)
    expect(receiver.requests[0]?.body.data.object).toMatchObject({ email: 'later@example.com' })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete' }).last().click()
    await page.getByText('No program gets events yet').waitFor()
  })

  test('if somebody else changes an endpoint during an edit, the page names the change, and both changes are stored', async () => {
    const receiver = await begin()
    const [opened, endpointId] = await openEndpoint(receiver)
    const { page } = opened
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Description (optional)').fill('Mirror')
    await org.patch(`/webhooks/endpoints/${endpointId}`, { types: ['deal.*'] })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else changed the events').waitFor()
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Save again' }).click()
    await page.getByText('The endpoint was saved').waitFor()
    const { body } = await org.get(`/webhooks/endpoints/${endpointId}`)
    expect(body.data).toMatchObject({ description: 'Mirror', types: ['deal.*'], url: receiver.url })
  })

  test('a viewer can read endpoints and attempts, but gets no actions', async () => {
    const receiver = await begin()
    const { body } = await org.post('/webhooks/endpoints', { url: receiver.url, types: ['*'] })
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const opened = await browser.open(`/o/ORG/settings/webhooks/${body.data.endpoint_id}`, viewer)
    const { page } = opened
    await page.getByText('Attempts of the last 7 days').waitFor()
    const acts = /Send a test|Edit|Rotate|Disable|Delete|Send a period/
    expect(await page.getByRole('button', { name: acts }).count()).toBe(0)
    await requireNoFaults(opened)
  })

  test('the page of an endpoint that does not exist says so', async () => {
    await begin()
    const opened = await browser.open('/o/ORG/settings/webhooks/01a20ad1-511c-7290-9f47-d2633d76375d', owner)
    await opened.page.getByText('This does not exist').waitFor()
    await requireNoFaults(opened)
  })
})
