import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { auth } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened, waitToHide, waitToShow, withClock } from '../support/console.ts'
import { requireNoFaultsInAllLooks, requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { connect, newContact } from '../support/crm-sync/crm.ts'
import { linkedByInvitation } from '../support/invitations.ts'
import { newMember } from '../support/members.ts'
import { OauthHost } from '../support/oauth-host.ts'
import { callTool } from '../support/tool-calls.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('AI hosts', () => {
  let browser: ConsoleBrowser
  let callback: string
  /** The page of the host to which the browser returns. */
  const server = createServer((_request, answer) => answer.end('back in the app'))
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    await once(server.listen(0, '127.0.0.1'), 'listening')
    callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  })
  afterEach(() => browser.closeAll())
  afterAll(async () => {
    await browser.close()
    server.close()
  })

  /** Opens the page on which a host asks a member to connect it. */
  async function openConsent(host: OauthHost): Promise<Opened & { serverUrl: string }> {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const member = await newMember(browser.app, org.orgId, 'member')
    const serverUrl = `${browser.app.address}/mcp`
    expect(await auth(host, { serverUrl })).toBe('REDIRECT')
    const opened = await browser.open('/sign-in', member)
    await opened.page.goto(host.sentTo!.href)
    await opened.page.getByRole('heading', { name: 'Connect Cursor?' }).waitFor()
    return { ...opened, serverUrl }
  }

  test('a person connects a host with the chosen permissions, sees it in the settings, and disconnects it', async () => {
    const host = new OauthHost('Cursor', callback)
    const opened = await openConsent(host)
    const { page, serverUrl } = opened
    await requireNoFaultsInTwoThemes(opened)
    await page.getByLabel('See deals').uncheck()
    await page.getByLabel('Change contacts').check()
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('back in the app').waitFor()
    const back = new URL(page.url())
    const authorizationCode = back.searchParams.get('code') ?? ''
    const iss = back.searchParams.get('iss') ?? undefined
    expect(await auth(host, { serverUrl, authorizationCode, ...(iss ? { iss } : {}) })).toBe('AUTHORIZED')
    const { access_token } = host.tokens() as unknown as { access_token: string }
    const app = browser.app.client(access_token)
    expect((await callTool(app, 'get_organization')).result).toMatchObject({
      granted: expect.arrayContaining(['contacts:read', 'contacts:write']),
      not_granted: expect.arrayContaining(['deals:read', 'voice:write']),
    })
    await page.goto(`${browser.app.address}/console`)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Connected apps' }).click()
    await page.getByRole('button', { name: 'Change what Cursor may do' }).click()
    await page.getByText(/\w connected it, last used /).waitFor()
    await page.getByLabel('Change contacts').uncheck()
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Cursor may do less now').waitFor()
    const granted = async () => (await callTool(app, 'get_organization')).result.granted
    await expect.poll(granted, { timeout: 2_000, interval: 50 }).not.toContain('contacts:write')
    expect(await granted()).toContain('contacts:read')
    await page.getByRole('button', { name: 'Disconnect Cursor' }).click()
    await page.getByText(/\w connected it, last used /).waitFor()
    await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await page.getByText('No app is connected').waitFor()
    await expect
      .poll(async () => (await app.post('/mcp', {}, { prefix: '' })).status, { timeout: 2_000, interval: 50 })
      .toBe(401)
  })

  test('the settings list more connected apps than the first page of the API has', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    for (let at = 0; at < 26; at++) await org.newConnectedApp(org.orgId)
    const { page } = await browser.open('/o/ORG/settings/apps', await newMember(browser.app, org.orgId))
    const apps = page.getByRole('button', { name: 'Disconnect Claude' })
    await apps.first().waitFor()
    expect(await apps.count()).toBe(26)
  })

  test('in a client, a person of an agency gets an address that leads the sign-in to this client', async () => {
    const { agency, client } = await linkedByInvitation(browser.app)
    const person = await newMember(browser.app, agency.orgId)
    const { page } = await browser.open(`/o/${client.orgId}/settings/apps`, person)
    await page.getByText(`${browser.app.address}/mcp/${client.orgId}`, { exact: true }).waitFor()
  })

  test('if a person declines, the host gets the error access_denied', async () => {
    const host = new OauthHost('Cursor', callback)
    const { page } = await openConsent(host)
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('back in the app').waitFor()
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  })

  test('a call with effects outside of Crosswalk runs only after a person approves it', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const from = '+14155550100'
    await org.post('/voice/numbers', { number: from })
    const call = { to_number: '+12025550123', from_number: from }
    const asked = (await callTool(org, 'place_call', call)).result
    expect(asked).toMatchObject({ status: 'needs_confirmation', facts: call })
    const again = () => callTool(org, 'place_call', { ...call, confirm_token: asked.confirm_token })
    expect((await again()).result).toMatchObject({ status: 'needs_confirmation' })
    const opened = await browser.open('/o/ORG/approvals', await newMember(browser.app, org.orgId))
    const { page } = opened
    await page.getByText(`Call ${call.to_number} from ${from}?`).waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Nothing waits for you').waitFor()
    await page.getByRole('link', { name: 'Approvals', exact: true }).waitFor()
    const placed = await again()
    expect(placed.result).toMatchObject({ to_number: call.to_number, call_id: expect.any(String) })
    expect((await again()).result.call_id).toBe(placed.result.call_id)
  })

  test('the page of approvals shows in words whom a push of an app would create', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const contact = await newContact(org, { first_name: 'Ada', email: 'ada@acme.example' })
    const connection_id = await connect(org)
    const push = { kind: 'leads', connection_id, contact_ids: [contact] }
    expect((await callTool(org, 'push_to_crm', push)).result.status).toBe('needs_confirmation')
    const opened = await browser.open('/o/ORG/approvals', await newMember(browser.app, org.orgId))
    const { page } = opened
    await page.getByText('What would happen').click()
    await page.getByText(/first name: Ada/).waitFor()
    expect(await page.locator('dl').innerText()).not.toMatch(/[{}"]|null/)
    await requireNoFaultsInTwoThemes(opened)
  })

  test('a call that arrives while the page is open is approved only after the person checks it', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    await org.post('/voice/numbers', { number: '+14155550100' })
    const ask = async (to_number: string) =>
      expect(
        (await callTool(org, 'place_call', { to_number, from_number: '+14155550100' })).result,
      ).toMatchObject({
        status: 'needs_confirmation',
      })
    const [first, second, third] = ['+12025550123', '+12025550124', '+12025550125']
    await ask(first)
    const opened = await browser.open('/o/ORG/approvals', await newMember(browser.app, org.orgId), withClock)
    const { page } = opened
    const call = (to: string) => page.getByRole('checkbox', { name: `Call ${to} from +14155550100?` })
    const approve = page.getByRole('button', { name: 'Approve', exact: true })
    await call(first).and(page.locator(':checked')).waitFor()
    await ask(second)
    await waitToShow(opened, call(second))
    expect(await call(second).isChecked()).toBe(false)
    await approve.click()
    await waitToHide(opened, call(first))
    await call(second).waitFor()
    expect(await approve.isDisabled()).toBe(true)
    await page.getByText('Tick what you want to approve or decline').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await call(second).check()
    await approve.click()
    await page.getByText('Nothing waits for you').waitFor()
    await ask(third)
    await waitToShow(opened, call(third))
    expect(await call(third).isChecked()).toBe(false)
  })

  test('a decline that succeeds replaces the error of an approval that failed', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    await org.post('/voice/numbers', { number: '+14155550100' })
    for (const to_number of ['+12025550123', '+12025550124'])
      await callTool(org, 'place_call', { to_number, from_number: '+14155550100' })
    const { page } = await browser.open('/o/ORG/approvals', await newMember(browser.app, org.orgId))
    const second = page.getByRole('checkbox', { name: 'Call +12025550124 from +14155550100?' })
    await second.uncheck()
    const failure = { status: 403, json: { detail: 'Your role changed', code: 'role_too_low' } }
    await page.route(/approvals\/decide/, (route) => route.fulfill(failure), { times: 1 })
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    const error = page.getByText('Your role changed')
    await error.waitFor()
    await page.getByRole('button', { name: 'Decline', exact: true }).click()
    await page.getByText('1 declined.').waitFor()
    await second.waitFor()
    expect(await error.count()).toBe(0)
  })

  test('the navigation and the home page show how many approvals wait, from one poll', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    await org.post('/voice/numbers', { number: '+14155550100' })
    const ask = (to_number: string) => callTool(org, 'place_call', { to_number, from_number: '+14155550100' })
    const asked: string[] = []
    const opened = await browser.open('/o/ORG', await newMember(browser.app, org.orgId), async (page) => {
      await withClock(page)
      page.on('request', (request) => request.url().endsWith('/approvals') && asked.push(request.url()))
    })
    const { page } = opened
    await page.getByText('Nothing waits for you').waitFor()
    const link = (name: string) => page.getByRole('link', { name, exact: true })
    await link('Approvals').waitFor()
    expect(asked).toHaveLength(1)
    await ask('+12025550123')
    await waitToShow(opened, link('Approvals 1 waiting'))
    await page.getByText('An app waits for your approval').waitFor()
    await ask('+12025550124')
    await waitToShow(opened, link('Approvals 2 waiting'))
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('link', { name: 'Decide' }).click()
    await page.getByRole('button', { name: 'Decline' }).click()
    await link('Approvals').waitFor()
  })
})
