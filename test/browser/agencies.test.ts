import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, inNewBrowser } from '../support/console.ts'
import { requireNoFaultsInAllLooks, requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { Keyboard } from '../support/console-keyboard.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the agencies of an organization', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  /** An organization, its owner, and an agency that invites it. */
  async function newInvited() {
    const agency = await browser.app.newOrg({
      name: 'Bright Agency',
      isAgency: true,
      key: { isAgency: true },
    })
    const client = await browser.app.newOrg({ name: 'Northwind' })
    const owner = await newMember(browser.app, client.orgId)
    const invite = async (): Promise<string> =>
      (await agency.post('/agency/invitations', { label: 'Northwind' })).body.data.token
    return { agency, client, owner, invite }
  }

  const agenciesOf = async (owner: SignedIn): Promise<string[]> =>
    (await owner.get('/organization/agencies')).body.data.map(({ name }: { name: string }) => name)

  test('an owner who removes a member of a client reads that people of the agency keep access', async () => {
    const { client, owner, invite } = await newInvited()
    const twin = await newMember(browser.app, client.orgId, 'viewer')
    const opened = await browser.open('/o/ORG/settings/members', owner)
    const { page } = opened
    const remove = async () => {
      await page.getByRole('button', { name: 'Actions for' }).last().click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      await page.getByText('owns no people').waitFor()
    }
    const warning = page.getByText(/People of an agency of Northwind need no membership/)
    await remove()
    expect(await warning.count()).toBe(0)
    expect((await owner.post('/organization/agencies', { token: await invite() })).status).toBe(201)
    await page.reload()
    await remove()
    await warning.waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(() => page.getByText(twin.email).count()).toBe(0)
    expect(await agenciesOf(owner)).toEqual(['Bright Agency'])
  })

  test('an owner of an agency who removes a member reads that memberships in clients stay', async () => {
    const { agency } = await newInvited()
    const owner = await newMember(browser.app, agency.orgId)
    await newMember(browser.app, agency.orgId, 'viewer')
    const { page } = await browser.open('/o/ORG/settings/members', owner)
    await page.getByRole('button', { name: 'Actions for' }).last().click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByText(/is also a member of a client, .* keeps access to that client/).waitFor()
  })

  test('an owner accepts an invitation by keyboard, sees the agency, and cuts the link to it', async () => {
    const { agency, client, owner, invite } = await newInvited()
    const opened = await browser.open('/o/ORG/settings/organization', owner)
    const { page } = opened
    const keyboard = new Keyboard(opened)
    await page.getByText('No agency acts on this organization').waitFor()
    await requireNoFaultsInAllLooks(opened)

    const accept = page.getByRole('button', { name: 'Accept an invitation' })
    await keyboard.press(accept)
    const field = page.getByRole('textbox', { name: 'Invitation' })
    await keyboard.requireFocus(field)
    await page.keyboard.type('svc_invite_mistyped')
    await page.keyboard.press('Enter')
    await page.getByText('No invitation that can be accepted has this token').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await keyboard.fill(field, `${browser.app.address}/console/invite#${await invite()}`)
    await page.keyboard.press('Enter')
    await page
      .getByText('The people and programs of Bright Agency can then do everything in Northwind')
      .waitFor()
    await requireNoFaultsInAllLooks(opened)
    await keyboard.press(page.getByRole('button', { name: 'Accept Bright Agency' }))
    const row = page.getByRole('row', { name: /^Bright Agency/ })
    await row.waitFor()
    await page.getByText('Bright Agency can act on this organization now').waitFor()
    await keyboard.requireFocus(accept)
    await requireNoFaultsInAllLooks(opened)

    const target = { headers: { 'x-target-org-id': client.orgId } }
    expect((await agency.post('/api-keys', { name: 'Nightly report' }, target)).status).toBe(201)
    const cut = row.getByRole('button', { name: 'Cut the link to Bright Agency' })
    await keyboard.press(cut)
    const dialog = page.getByRole('dialog')
    await keyboard.requireFocus(dialog.getByRole('button', { name: 'Cancel' }))
    await requireNoFaultsInAllLooks(opened)
    await page.keyboard.press('Enter')
    expect(await agenciesOf(owner)).toEqual(['Bright Agency'])
    await keyboard.press(cut)
    await keyboard.press(dialog.getByRole('button', { name: 'Cut the link' }))
    await page.getByText('Some access of Bright Agency to Northwind remains').waitFor()
    await page.getByText('Nightly report').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.keyboard.press('Escape')
    await page.getByText('No agency acts on this organization').waitFor()
    expect(await agenciesOf(owner)).toEqual([])
    await client.post('/api-keys', { name: 'Own key' })
    await page.getByRole('link', { name: 'API', exact: true }).click()
    await page.getByRole('rowheader', { name: 'Nightly report made by an agency', exact: true }).waitFor()
    await page.getByRole('rowheader', { name: 'Own key', exact: true }).waitFor()
    await requireNoFaultsInAllLooks(opened)
  })

  test('an owner who cuts a link that is already cut reads so, and that no key is deleted', async () => {
    const { agency, client, owner, invite } = await newInvited()
    expect((await client.post('/organization/agencies', { token: await invite() })).status).toBe(201)
    const { page } = await browser.open('/o/ORG/settings/organization', owner)
    await page.getByRole('button', { name: 'Cut the link to Bright Agency' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Also delete the API keys').click()
    expect((await agency.delete(`/agency/clients/${client.orgId}`)).status).toBe(200)
    await dialog.getByRole('button', { name: 'Cut the link' }).click()
    await page.getByText('The link to Bright Agency was already cut. No API key is deleted now.').waitFor()
    await page.getByText('No agency acts on this organization').waitFor()
  })

  test('a person of an agency who cuts a link that is already cut reads so, and the list loses the client', async () => {
    const { agency, client, invite } = await newInvited()
    expect((await client.post('/organization/agencies', { token: await invite() })).status).toBe(201)
    const { page } = await browser.open('/o/ORG/clients', await newMember(browser.app, agency.orgId))
    await page.getByRole('button', { name: 'Actions for Northwind' }).click()
    await page.getByRole('menuitem', { name: 'Cut the link' }).click()
    const dialog = page.getByRole('dialog')
    expect((await client.delete(`/organization/agencies/${agency.orgId}`)).status).toBe(200)
    await dialog.getByRole('button', { name: 'Cut the link' }).click()
    await page.getByText('The link to Northwind was already cut.').waitFor()
    await page.getByText('There are no clients yet').waitFor()
    expect(await dialog.count()).toBe(0)
  })

  test('the events of a client and of its agency name the other organization, also after the link was cut', async () => {
    const { agency, owner, invite } = await newInvited()
    expect((await owner.post('/organization/agencies', { token: await invite() })).status).toBe(201)
    const { page } = await browser.open('/o/ORG/events', owner)
    await page.getByRole('row', { name: /organization agency linked .* Bright Agency$/ }).waitFor()
    const person = await newMember(browser.app, agency.orgId)
    const own = await browser.open('/o/ORG/events', person)
    await own.page.getByRole('row', { name: /agency client linked .*Northwind Northwind$/ }).waitFor()
    await owner.delete(`/organization/agencies/${agency.orgId}`)
    await Promise.all([page, own.page].map((each) => each.reload()))
    await page.getByRole('row', { name: /organization agency linked .* Bright Agency$/ }).waitFor()
    await page.getByRole('row', { name: /organization agency unlinked .* Bright Agency$/ }).waitFor()
    await own.page.getByRole('row', { name: /agency client unlinked .*Northwind Northwind$/ }).waitFor()
  })

  test('an owner who cuts the link can delete the API keys of the agency with it', async () => {
    const { agency, client, owner, invite } = await newInvited()
    expect((await owner.post('/organization/agencies', { token: await invite() })).status).toBe(201)
    const target = { headers: { 'x-target-org-id': client.orgId } }
    const { body: key } = await agency.post('/api-keys', { name: 'Nightly report' }, target)
    const opened = await browser.open('/o/ORG/settings/organization', owner)
    const { page } = opened
    await page.getByRole('button', { name: 'Cut the link to Bright Agency' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: /^Also delete the API keys that Bright Agency made/ }).check()
    await requireNoFaultsInAllLooks(opened)
    await dialog.getByRole('button', { name: 'Cut the link' }).click()
    await page
      .getByText('Bright Agency can no longer act on this organization. 1 API key is deleted.')
      .waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect((await browser.app.client(key.api_key_token).get('/contacts')).status).toBe(401)
  })

  test('the link of an invitation asks a stranger to sign in, and an owner accepts it there once', async () => {
    const { owner, invite } = await newInvited()
    const token = await invite()
    const opened = await browser.open(`/invite#${token}`, null, inNewBrowser)
    const { page } = opened
    await page.getByRole('heading', { name: 'Invitation of an agency' }).waitFor()
    await page.getByText('sign in as an owner').waitFor()
    await page.getByLabel('E-mail').waitFor()
    await requireNoFaultsInAllLooks(opened)

    await browser.reopen(opened, '/confirmed', owner)
    await page.getByRole('heading').waitFor()
    await page.goto(`/console/invite#${token}`)
    await page.getByText('Organization: Northwind').waitFor()
    await page.getByText('Agency: Bright Agency').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await new Keyboard(opened).press(page.getByRole('button', { name: 'Accept the invitation' }))
    await page.getByRole('row', { name: /^Bright Agency/ }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/o/${owner.orgId}/settings/organization`)
    expect(await agenciesOf(owner)).toEqual(['Bright Agency'])

    await page.goto(`/console/o/${owner.orgId}`)
    await page.goto(`/console/invite#${token}`)
    await page.getByText('No invitation that can be accepted has this token').waitFor()
    await requireNoFaultsInTwoThemes(opened)
  })

  test('an admin sees the agencies, and can neither accept an invitation nor cut a link', async () => {
    const { client, owner, invite } = await newInvited()
    expect((await owner.post('/organization/agencies', { token: await invite() })).status).toBe(201)
    const admin = await newMember(browser.app, client.orgId, 'admin')
    const opened = await browser.open('/o/ORG/settings/organization', admin)
    const { page } = opened
    await page.getByRole('row', { name: /^Bright Agency/ }).waitFor()
    expect(await page.getByRole('button', { name: /Accept an invitation|Cut the link/ }).count()).toBe(0)
    await browser.reopen(opened, '/confirmed', admin)
    await page.goto(`/console/invite#${await invite()}`)
    await page.getByText('Only an owner can accept it').waitFor()
    await requireNoFaultsInTwoThemes(opened)
  })

  test('a person of the agency who acts on its client sees no button to cut the link', async () => {
    const { agency, client, owner, invite } = await newInvited()
    expect((await owner.post('/organization/agencies', { token: await invite() })).status).toBe(201)
    const person = await newMember(browser.app, agency.orgId)
    const { page } = await browser.open('/o/ORG', person)
    await page.goto(`/console/o/${client.orgId}/settings/organization`)
    await page.getByRole('row', { name: /^Bright Agency/ }).waitFor()
    expect(await page.getByRole('button', { name: /Accept an invitation|Cut the link/ }).count()).toBe(0)
  })

  test('only the people of an agency are offered a key that acts on clients', async () => {
    const { agency, owner } = await newInvited()
    const opened = await browser.open('/o/ORG/settings/api', owner)
    const agencyKey = opened.page.getByText('Agency key')
    await opened.page.getByRole('button', { name: 'New key' }).click()
    await opened.page.getByText('Expires after').waitFor()
    expect(await agencyKey.count()).toBe(0)
    await browser.reopen(opened, '/o/ORG/settings/api', await newMember(browser.app, agency.orgId))
    await opened.page.getByRole('button', { name: 'New key' }).click()
    await agencyKey.waitFor()
  })

  test('a person of the agency creates a task about a person of its client', async () => {
    const { agency, client, owner, invite } = await newInvited()
    expect((await owner.post('/organization/agencies', { token: await invite() })).status).toBe(201)
    const { contact_id } = (await client.post('/contacts', { first_name: 'Ada' })).body.data
    const person = await newMember(browser.app, agency.orgId)
    const { page } = await browser.open('/o/ORG', person)
    await page.goto(`/console/o/${client.orgId}/people/${contact_id}`)
    await page.getByRole('button', { name: 'Add a task' }).click()
    await page.getByLabel('What to do').fill('Send the offer')
    await page.getByRole('button', { name: 'Create task' }).click()
    await page.getByText('The task is created.').waitFor()
    expect((await client.get('/tasks')).body.data).toMatchObject([{ assignee_id: null }])

    // The person has no tasks of their own there, so the page begins with everyone's.
    await page.goto(`/console/o/${client.orgId}/tasks`)
    await page.getByRole('button', { name: 'Actions for “Send the offer”' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Edit', 'Delete'])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('radio', { name: 'Mine' }).count()).toBe(0)
  })

  test('a person of the agency creates a sandbox of its client, and reads who can open it', async () => {
    const { agency, client, owner, invite } = await newInvited()
    expect((await owner.post('/organization/agencies', { token: await invite() })).status).toBe(201)
    const person = await newMember(browser.app, agency.orgId)
    const opened = await browser.open('/o/ORG', person)
    const { page } = opened
    await page.goto(`/console/o/${client.orgId}/settings/sandboxes`)
    await page.getByText('Only members of Northwind open its sandboxes').waitFor()
    await page.getByRole('button', { name: 'New sandbox' }).click()
    await page.getByLabel('Name').fill('Trial')
    await page.getByText('Nothing', { exact: true }).click()
    await page.getByRole('button', { name: 'Create sandbox' }).click()
    await page.getByText('delete the sandbox and create another one').waitFor()
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Close' }).click()
    const row = page.getByRole('row', { name: /^Trial/ })
    await row.getByRole('button', { name: 'Delete Trial' }).waitFor()
    expect(await row.getByRole('button').count()).toBe(1)
    await requireNoFaultsInTwoThemes(opened)
  })
})
