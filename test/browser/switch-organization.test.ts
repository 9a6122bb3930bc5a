import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { putMembership } from '../../src/members/memberships.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newMember } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('a person of an agency with several clients', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  /** An agency with clients of these names. */
  async function agencyOf(...names: string[]) {
    const agency = await browser.app.newOrg({
      name: 'Bright Agency',
      isAgency: true,
      key: { isAgency: true },
    })
    const clients: string[] = []
    for (const name of names) clients.push((await agency.post('/agency/clients', { name })).body.data.org_id)
    return { agency, clients, owner: await newMember(browser.app, agency.orgId) }
  }

  /** Chooses an organization in the menu, with the keys alone. */
  async function choose({ page }: Opened, name: string) {
    await page.getByRole('button', { name: /Search or act/ }).waitFor()
    await page.keyboard.press('Control+K')
    await page.getByRole('option', { name: 'Usage' }).waitFor()
    await page.keyboard.type(name)
    await page.getByRole('option', { name }).waitFor()
    await page.keyboard.press('Enter')
  }

  test('another organization opens on the same page, and in the same mode', async () => {
    const { agency, owner, clients } = await agencyOf('Northwind', 'Tailspin')
    const [northwind = '', tailspin = ''] = clients
    const target = { headers: { 'x-target-org-id': tailspin } }
    const ada = (await agency.post('/contacts', { first_name: 'Ada' }, target)).body.data.contact_id
    const opened = await browser.open('/o/ORG/settings/fields?mode=test', owner)
    const { page } = opened
    const requireAt = (path: string) =>
      page.waitForURL((url) => `${url.pathname}${url.search}` === `/console/o/${path}`)
    await choose(opened, 'Northwind')
    await requireAt(`${northwind}/settings/fields?mode=test`)
    await page.getByRole('heading', { name: 'Fields' }).waitFor()

    // A record belongs to one organization: the list opens. The page Clients belongs to agencies.
    for (const [from, to] of [
      [`${tailspin}/people/${ada}`, `${northwind}/people`],
      [`${tailspin}/people?q=ada`, `${northwind}/people`],
      [`${agency.orgId}/clients`, northwind],
    ]) {
      await page.goto(`/console/o/${from}`)
      await choose(opened, 'Northwind')
      await requireAt(to ?? '')
    }
    await page.goto(`/console/o/${northwind}/deals`)
    await page.getByRole('button', { name: 'Northwind' }).click()
    await page.getByRole('option', { name: 'Tailspin' }).click()
    await requireAt(`${tailspin}/deals`)
  })

  test('after a switch to a client that was open before, a form has the values of this client, and not those of the other one', async () => {
    const { agency, owner, clients } = await agencyOf('Northwind', 'Tailspin')
    const capsOf = () =>
      Promise.all(
        clients.map(async (id) => {
          const { body } = await agency.get('/voice/settings', { headers: { 'x-target-org-id': id } })
          return body.data.concurrent_call_cap
        }),
      )
    // Both settings have the same version.
    for (const [index, cap] of [3, 7].entries()) {
      const target = { headers: { 'x-target-org-id': clients[index] ?? '' } }
      await agency.patch('/voice/settings', { concurrent_call_cap: cap }, target)
    }
    const opened = await browser.open(`/o/${clients[0]}/settings/voice`, owner)
    const { page } = opened
    const cap = page.getByLabel('Most calls at once')
    for (const [name, value] of [
      ['Tailspin', '7'],
      ['Northwind', '3'],
      ['Tailspin', '7'],
    ] as const) {
      await cap.waitFor()
      await choose(opened, name)
      await page.getByRole('button', { name, exact: true }).waitFor()
      await expect.poll(() => cap.inputValue(), patience).toBe(value)
    }
    await page.getByLabel('Your words for this sentence (optional)').fill('An AI is calling.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The voice settings are saved.').waitFor()
    expect(await capsOf()).toEqual([3, 7])
  })

  test('a person who is created after a switch to another client does not lead back to the first client', async () => {
    const { owner, clients } = await agencyOf('Northwind', 'Tailspin')
    const [northwind = '', tailspin = ''] = clients
    const held = Promise.withResolvers<void>()
    const opened = await browser.open(`/o/${tailspin}/people`, owner, (page) =>
      page.route('**/console/api/contacts', async (route) => {
        if (route.request().method() === 'POST') await held.promise
        await route.continue()
      }),
    )
    const { page } = opened
    await choose(opened, 'Northwind')
    await page.waitForURL((url) => url.pathname === `/console/o/${northwind}/people`)
    await page.getByRole('button', { name: 'New person' }).click()
    await page.getByLabel('First name').fill('Ada')
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: 'Create person' }).click()
    await sent
    await page.goBack()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL((url) => url.pathname === `/console/o/${tailspin}/people`)
    held.resolve()
    await page.getByText('Ada is created.').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/o/${tailspin}/people`)
  })

  test('a member of two organizations opens Home if the other role does not include the page', async () => {
    const [one, other] = [await browser.app.newOrg(), await browser.app.newOrg({ name: 'Lucerne' })]
    const member = await newMember(browser.app, one.orgId)
    await browser.app.operate((tx) => putMembership(tx, other.orgId, member.memberId, 'viewer'))
    const opened = await browser.open('/o/ORG/settings/api', member)
    await choose(opened, 'Lucerne')
    await opened.page.waitForURL((url) => url.pathname === `/console/o/${other.orgId}`)
  })

  test('clients of the same name are told apart by the end of their ids', async () => {
    const { owner, clients } = await agencyOf('Northwind', 'Northwind', 'Tailspin')
    const [, northwind = ''] = clients
    const name = `Northwind …${northwind.slice(-4)}`
    const opened = await browser.open('/o/ORG/clients', owner)
    const { page } = opened
    const row = page.getByRole('row', { name: new RegExp(`^${name}`) })
    await row.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Cut the link' }).click()
    await page.getByRole('dialog', { name: `Cut the link to ${name}?` }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: /^Tailspin [^…]*$/ }).waitFor()

    await choose(opened, name)
    await page.waitForURL(new RegExp(`/o/${northwind}$`))
    await page.getByRole('button', { name }).waitFor()
    await expect.poll(() => page.title()).toContain(name)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('main').getByText(name, { exact: true }).waitFor()
    await requireNoFaultsInAllLooks(opened)
  })

  test('test mode says in words what it does', async () => {
    const { owner } = await agencyOf()
    const opened = await browser.open('/o/ORG/people?mode=test', owner)
    const note = opened.page.getByRole('note')
    await note.getByText('Test mode: records are real; calls, CRM pushes and signatures are not.').waitFor()
    await requireNoFaultsInAllLooks(opened)
    // The whole text fits on a phone.
    await opened.page.setViewportSize({ width: 390, height: 844 })
    expect(await note.evaluate((bar) => bar.scrollWidth <= bar.clientWidth)).toBe(true)
    await opened.page.setViewportSize({ width: 1440, height: 900 })
    await opened.page.getByRole('switch', { name: 'Test mode' }).click()
    await note.waitFor({ state: 'detached' })
  })

  test('a new client gets the country of the agency, unless the person chooses another one', async () => {
    const { agency, owner } = await agencyOf()
    await agency.patch('/organization', { default_country: 'GB' })
    const opened = await browser.open('/o/ORG/clients', owner)
    const { page } = opened
    for (const [name, country] of [
      ['Northwind', null],
      ['Tailspin', 'SE'],
      ['Lucerne', ''],
    ] as const) {
      await page.getByRole('button', { name: 'Add a client' }).click()
      const select = page.getByLabel('Country of phone numbers')
      await expect.poll(() => select.inputValue()).toBe('GB')
      await page.getByLabel('Name').fill(name)
      if (country !== null) await select.selectOption(country)
      await page.getByRole('button', { name: 'Create client' }).click()
      await page.getByText(`${name} is a client now.`).waitFor()
    }
    const { body } = await agency.get('/agency/clients')
    const made = body.data.map((client: { name: string; default_country: string | null }) => [
      client.name,
      client.default_country,
    ])
    expect(made.toSorted()).toEqual([
      ['Lucerne', null],
      ['Northwind', 'GB'],
      ['Tailspin', 'SE'],
    ])
  })
})
