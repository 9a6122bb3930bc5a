import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import type { TestOrg } from '../support/app.ts'
import { addCallBackForm, askForCall } from '../support/call-back.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { type NamedPage, pages, routesOfConsole, signedOutPages } from '../support/console-pages.ts'
import { ReadsOfWindow } from '../support/console-reads.ts'
import { connect, pushAndWait } from '../support/crm-sync/crm.ts'
import { importCsv } from '../support/csv-imports.ts'
import { findAmong } from '../support/finding.ts'
import { newSentForm } from '../support/form-pages.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'
import { ownNumber, place } from '../support/simulated-calls.ts'
import { callTool } from '../support/tool-calls.ts'
import { sendBatch } from '../support/tracking-clients.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'

const chromium = chromiumOrSkip()

test('these tests open every page of the console', () => {
  const known = [...signedOutPages, ...pages].map(
    ({ path }) => path.replace('/o/ORG', '').replace(/[?#].*/, '') || '/',
  )
  expect([...new Set(known)].sort()).toEqual(routesOfConsole().sort())
})

describe.runIf(chromium)('every page is sound: no error, accessible, nothing cut off at the side', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  let viewer: SignedIn
  let receiver: Receiver
  /** The ids that replace the placeholders in the paths of pages. */
  const ids = new Map<SignedIn, Record<string, string>>()
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '', { outboundAllowPrivate: true })
    receiver = await startReceiver()
    const org = await browser.app.newOrg({ name: 'Lantern Row', isAgency: true, key: { isAgency: true } })
    await org.post('/agency/clients', { name: 'Northwind' })
    await org.post('/agency/invitations', { label: 'Tailspin Toys' })
    for (const body of [
      { name: 'Website forms', expires_in_days: 84, permissions: ['contacts:write'] },
      {
        name: 'A key with a name that is far too long for the column in which it stands',
        expires_in_days: 3,
      },
      { name: 'Staging', mode: 'test', expires_in_days: 12 },
    ])
      await org.post('/api-keys', body)
    await org.post('/organization/sandboxes', { name: 'Trial' })
    await org.newConnectedApp(org.orgId)
    const { body: template } = await org.post('/signatures/templates', {
      ...{ name: 'Sales team', html: '<b>{{ display_name }}</b>\n{{ titel }}' },
    })
    const { template_id } = template.data
    const { body: mailbox } = await org.post('/signatures/mailboxes', {
      ...{ email: 'ada@acme.example', template_id },
    })
    await callTool(org, 'push_signature', { mailbox_id: String(mailbox.data.mailbox_id) })
    owner = await newMember(browser.app, org.orgId)
    viewer = await newMember(browser.app, org.orgId, 'viewer')
    const person = await org.post('/contacts', { email: 'ada@example.com' })
    const company = await org.post('/companies', { name: 'Acme', domain: 'acme.example' })
    const connectionId = await connect(org, { name: 'Trade shows' })
    const deal = await org.post('/deals', {
      ...{ name: 'Website for Acme', company_id: company.body.data.company_id },
      ...{ amount_cents: 1_250_000, currency: 'EUR', expected_close_on: '2026-03-31' },
    })
    const spoken = { name: 'Mia', greeting: 'Hello, this is Mia.' }
    const persona_id = (await org.post('/personas', spoken)).body.data.persona_id
    await org.post('/voice/numbers', { number: ownNumber })
    await org.post('/voice/suppressions', { number: '+12025550148' })
    const called = await place(org, { persona_id, instructions: 'Confirm the appointment.' })
    ids.set(owner, {
      CALL: called.body.call_id,
      PERSONA: persona_id,
      CONNECTION: connectionId,
      JOB: (await pushAndWait(org, { connection_id: connectionId })).job_id,
      PERSON: person.body.data.contact_id,
      COMPANY: company.body.data.company_id,
      DEAL: deal.body.data.deal_id,
      ENDPOINT: await newEndpoint(org),
      WRITE_KEY: await newWriteKey(org, 'Signed Up'),
      FORM: await newSentForm(browser.app, org),
      SIGNATURE: template_id,
      IMPORT: (
        await importCsv(org, 'name,email,size\nAda,ada@fair.example,38\n,,39\n', { fileName: 'fair.csv' })
      ).import_id,
      VISITOR: (await org.get('/visitors')).body.data.visitors[0].visitor_id,
    })
    await askForCall(browser.app, await addCallBackForm(org), '+12025550143')
    await org.post('/fields', { entity: 'contact', key: 'sites', label: 'Sites', type: 'number' })
    const { body: contact } = await org.post('/contacts', { email: 'ada@example.com' })
    await findAmong(browser.app, org, 'contact', [person.body.data.contact_id, contact.data.contact_id])
    await org.post('/tasks', {
      ...{ entity_type: 'contact', record_id: contact.data.contact_id, title: 'Send the offer' },
      ...{ due_on: '2026-03-31', assignee_id: owner.memberId },
    })
    // The events of the contacts that the import and the forms made.
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(4), patience)
    opened = await browser.open('/sign-in', null)
    reads = await ReadsOfWindow.of(opened.page)
  })
  afterAll(async () => {
    await browser.close()
    receiver.close()
  })

  async function newEndpoint(org: TestOrg): Promise<string> {
    const { body } = await org.post('/webhooks/endpoints', { url: receiver.url, types: ['contact.*'] })
    receiver.secrets.push(body.data.secret)
    return body.data.endpoint_id
  }

  /** @param event the name of an event that comes with the key; null: none */
  async function newWriteKey(org: TestOrg, event: string | null): Promise<string> {
    const { body } = await org.post('/write-keys', {
      name: 'www.example.com',
      origins: ['https://www.example.com', 'https://shop.example.com'],
    })
    if (event !== null)
      await sendBatch(browser.app, body.data.key, [{ event, properties: { plan: 'pro' } }], {
        origin: 'https://www.example.com',
      })
    return body.data.write_key_id
  }

  /** The window that loads one page after another. */
  let opened: Opened
  let reads: ReadsOfWindow
  const open = ({ path }: NamedPage, member: SignedIn) =>
    browser.reopen(
      opened,
      path.replace(/(?!ORG\b)\b[A-Z_]+$/, (name) => ids.get(member)?.[name] ?? ''),
      member,
    )
  afterEach(() => reads.release())

  test.each(signedOutPages)('$path has no fault in both themes and widths', async ({ path, text }) => {
    await browser.reopen(opened, path, null)
    await opened.page.getByRole('heading', { name: text }).waitFor()
    await requireNoFaultsInAllLooks(opened)
  })

  test.each(pages)(
    '$path is sound while it loads, and with its data in both themes and widths',
    async (page) => {
      reads.mode = 'hold'
      await open(page, owner)
      if (!page.readsNothing) {
        const skeleton = opened.page.getByRole('status').filter({ hasText: 'Loading' }).first()
        await skeleton.waitFor()
        expect((await skeleton.boundingBox())?.width).toBeGreaterThan(100)
        await requireNoFaults(opened)
      }
      reads.release()
      await opened.page.getByText(page.text).last().waitFor()
      await expect.poll(() => opened.page.getByText('Loading', { exact: true }).count(), patience).toBe(0)
      await requireNoFaultsInAllLooks(opened)
    },
  )

  test.each(pages.filter(({ empty }) => empty !== null))(
    '$path has no fault if it has no data to show',
    async (page) => {
      const org = await browser.app.newOrg({ name: 'Empty' })
      const member = await newMember(browser.app, org.orgId)
      if (page.path.endsWith('/ENDPOINT')) ids.set(member, { ENDPOINT: await newEndpoint(org) })
      if (page.path.endsWith('/WRITE_KEY')) ids.set(member, { WRITE_KEY: await newWriteKey(org, null) })
      if (page.path.endsWith('/api')) await member.delete(`/api-keys/${org.apiKeyId}`)
      // Delete the event of the new organization, so that the list is empty.
      await browser.app.operate((tx) => tx.run(sql`delete from event where org_id = ${org.orgId}`))
      await open(page, member)
      await opened.page
        .getByText(page.empty ?? '')
        .first()
        .waitFor()
      await requireNoFaults(opened)
    },
  )

  test.each(pages.filter(({ readsNothing }) => !readsNothing))(
    '$path says what failed when the server does not answer',
    async (page) => {
      reads.mode = 'fail'
      await open(page, owner)
      await opened.page.getByText('Crosswalk could not answer').first().waitFor()
      await requireNoFaults(opened)
    },
  )

  test('a viewer gets no page and no button that the role forbids', async () => {
    const { page } = opened
    await browser.reopen(opened, '/o/ORG/settings/organization', viewer)
    await page.getByLabel('Name').waitFor()
    expect(await page.getByRole('link', { name: 'API' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.goto(`/console/o/${viewer.orgId}/settings/api`)
    await page.getByText('You may not do this').waitFor()
    expect(await page.getByText('api_keys:read').count()).toBe(1)
  })

  test('a viewer of an empty organization gets no command for what the role forbids', async () => {
    const org = await browser.app.newOrg({ name: 'Empty' })
    const reader = await newMember(browser.app, org.orgId, 'viewer')
    const creating = /people|companies|deals|crm|signatures|forms|calls|personas|tracking|webhooks|sandboxes/
    for (const page of pages.filter(
      ({ path, empty }) => empty && creating.test(path) && !/[A-Z]{4}/.test(path),
    )) {
      await open(page, reader)
      await opened.page
        .getByText(page.empty ?? '')
        .first()
        .waitFor()
      const commands = opened.page.getByRole('main').getByText('-X POST')
      expect([page.path, await commands.count()]).toEqual([page.path, 0])
    }
  })

  test('an address without a page shows an error page', async () => {
    await browser.reopen(opened, '/nowhere', owner)
    await opened.page.getByText('There is no page with this address').waitFor()
  })
})
