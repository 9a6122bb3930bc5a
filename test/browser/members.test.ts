import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { Keyboard } from '../support/console-keyboard.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('members', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  /** Opens the page as one of the owner, the admin and the viewer of an organization. */
  async function openMembers(role: 'owner' | 'admin' | 'viewer' = 'owner') {
    const { orgId } = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, orgId)
    const [admin, viewer] = [
      await newMember(browser.app, orgId, 'admin'),
      await newMember(browser.app, orgId, 'viewer'),
    ]
    const opened = await browser.open('/o/ORG/settings/members', { owner, admin, viewer }[role])
    await opened.page.getByRole('row').nth(3).waitFor()
    return { opened, page: opened.page, admin, viewer }
  }

  const rowOf = ({ page }: Opened, { email }: SignedIn) => page.getByRole('row').filter({ hasText: email })

  async function act(opened: Opened, member: SignedIn, name: string): Promise<void> {
    await rowOf(opened, member).getByRole('button').click()
    await opened.page.getByRole('menuitem', { name }).click()
  }

  test('the keyboard alone creates an invitation, its link is shown once, and a revoked link stops working', async () => {
    const { opened, page } = await openMembers()
    await page.keyboard.press('c')
    await page.keyboard.type('nina@lantern.example')
    await page.keyboard.press('Tab')
    for (const key of ['ArrowDown', 'Tab', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.getByText('Crosswalk sends no mail: send it yourself').waitFor()
    const url = (await page.locator('dialog code').textContent()) ?? ''
    const token = url.split('#')[1]
    const link = await browser.app.stranger.post('/links/open', { token }, consoleApi)
    expect(link.body.data).toMatchObject({ email: 'nina@lantern.example', role: 'viewer', kind: 'invite' })
    await requireNoFaults(opened)
    await page.keyboard.press('Escape')
    await page.getByText('Copy the link first').waitFor()
    await page.getByLabel('I have copied it').check()
    await page.keyboard.press('Escape')
    await page.getByRole('rowheader', { name: 'nina@lantern.example' }).waitFor()
    await page.getByText('Invitation as viewer, own records').waitFor()
    expect(await page.content()).not.toContain(token)
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('button', { name: 'Revoke the link for nina@lantern.example' }).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('There is no open link').waitFor()
    const gone = await browser.app.stranger.post('/links/open', { token }, consoleApi)
    expect([gone.status, gone.body.code]).toEqual([404, 'link_unusable'])
  })

  test('if somebody else changed a member first, the page shows that change, and saves only after a decision', async () => {
    const { opened, page, viewer } = await openMembers()
    await act(opened, viewer, 'Change role')
    await page.getByRole('radio', { name: 'Member', exact: true }).check()
    await owner.patch(`/members/${viewer.memberId}`, { role: 'admin' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('the role is admin now').waitFor()
    expect(await page.getByRole('radio', { name: 'Member', exact: true }).isChecked()).toBe(true)
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Keep my choice' }).click()
    await page.getByText('Only some').click()
    await page.getByRole('radio', { name: 'Deals: Write' }).check()
    expect(await page.getByRole('radio', { name: 'Deals: Manage' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await rowOf(opened, viewer).getByText('Member, limited').waitFor()
    const list = await owner.get('/members')
    const changed = list.body.data.find(
      ({ member_id }: { member_id: string }) => member_id === viewer.memberId,
    )
    expect(changed).toMatchObject({ role: 'member', permissions: ['contacts:read', 'deals:write'] })
  })

  test('the role dialog focuses the current role, so that the arrow keys start there', async () => {
    const { opened, page, admin } = await openMembers()
    await act(opened, admin, 'Change role')
    await new Keyboard(opened).requireFocus(page.getByRole('radio', { name: 'Admin' }))
    await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('radio', { name: 'Member' }).isChecked()).toBe(true)
  })

  test('the last owner reads why leaving is refused', async () => {
    const { opened, page } = await openMembers()
    await act(opened, owner, 'Leave the organization')
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByText('This is the last owner of the organization').waitFor()
  })

  test('a viewer leaves the organization, and reads that nobody gets their records', async () => {
    const { opened, page, viewer } = await openMembers('viewer')
    await act(opened, viewer, 'Leave the organization')
    await page.getByText('Nobody owns these records and your open tasks afterwards').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.getByText('You left Lantern Row').waitFor()
    const left = (await owner.get('/members')).body.data
    expect(left.map((each: { member_id: string }) => each.member_id)).not.toContain(viewer.memberId)
  })

  test('a removed member disappears from the list, and their browser shows the removal', async () => {
    const { opened, page, viewer } = await openMembers()
    const theirs = await browser.open('/o/ORG/people', viewer)
    await theirs.page.getByRole('button', { name: 'Export' }).waitFor()
    await act(opened, viewer, 'Remove')
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(() => rowOf(opened, viewer).count()).toBe(0)
    // Their page needs no reload.
    await theirs.page.getByRole('heading', { name: 'You have no access to this organization' }).waitFor()
  })

  test('the records of a removed member go to the person who is chosen', async () => {
    const { opened, page, admin, viewer } = await openMembers()
    const created = await owner.post('/contacts', { first_name: 'Ada', owner_id: viewer.memberId })
    await act(opened, viewer, 'Remove')
    await page.getByText('owns 1 person, no companies and no deals').waitFor()
    await page.getByText(/Connected apps of .* stop\. Webhook endpoints that .* get nothing/).waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await page.getByLabel('New owner').selectOption(admin.memberId)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(() => rowOf(opened, viewer).count()).toBe(0)
    const path = `/contacts/${created.body.data.contact_id}`
    await expect
      .poll(async () => (await owner.get(path)).body.data.owner_email, { timeout: 10_000 })
      .toBe(admin.email)
  })

  test('a member who is limited to the records of a team sees what the others of the team own, and Home without an error', async () => {
    const { opened, page, admin, viewer } = await openMembers()
    await owner.post('/contacts', { first_name: 'Ada', owner_id: admin.memberId })
    await owner.post('/contacts', { first_name: 'Bob', owner_id: owner.memberId })
    const names: string[] = (await owner.get('/members')).body.data
      .filter(({ email }: { email: string }) => email !== owner.email)
      .map(({ name }: { name: string }) => name)
    await page.getByRole('button', { name: 'New team' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('North')
    for (const name of names) await page.getByRole('checkbox', { name: new RegExp(`^${name} .+@`) }).check()
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('row', { name: 'North' }).getByText(names.join(', ')).waitFor()
    await act(opened, viewer, 'Change role')
    await page.getByRole('radio', { name: 'Records of their teams' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await rowOf(opened, viewer).getByText('records of their teams').waitFor()
    const seen = async () =>
      (await viewer.get('/contacts')).body.data.map((one: { first_name: string }) => one.first_name)
    await expect.poll(seen).toEqual(['Ada'])
    const home = await browser.open('/o/ORG', viewer)
    await home.page.getByText('Nothing waits for you').waitFor()
    await home.page.waitForLoadState('networkidle')
    await requireNoFaults(home)
    expect(await home.page.getByRole('alert').count()).toBe(0)
    expect(await home.page.getByText('Recent').count()).toBe(0)
    const offered = () =>
      home.page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()
    const named = (await offered()).join(' ')
    for (const name of ['People', 'Deals']) expect(named).toContain(name)
    for (const name of ['Usage', 'Events', 'Calls', 'CRM', 'Visitors']) expect(named).not.toContain(name)
    await home.page.keyboard.press('ControlOrMeta+k')
    const commands = home.page.getByRole('listbox', { name: 'Commands' })
    await commands.getByText('People', { exact: true }).waitFor()
    for (const name of ['Usage', 'Events', 'Settings: Duplicates'])
      expect([name, await commands.getByText(name, { exact: true }).count()]).toEqual([name, 0])
    await home.page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for North' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('There is no team').waitFor()
    expect(await seen()).toEqual([])
    const people = await browser.open('/o/ORG/people', viewer)
    await people.page.getByText('You see only people that you or members of your teams own.').waitFor()
    await requireNoFaults(people)
  })

  test('an admin gets no actions for owners, and a viewer can only leave', async () => {
    const asAdmin = await openMembers('admin')
    expect(await rowOf(asAdmin.opened, owner).getByRole('button').count()).toBe(0)
    expect(await rowOf(asAdmin.opened, asAdmin.viewer).getByRole('button').count()).toBe(1)
    const asViewer = await openMembers('viewer')
    const names = await asViewer.page.getByRole('main').getByRole('button').allTextContents()
    expect(names).toHaveLength(1)
    await rowOf(asViewer.opened, asViewer.viewer).getByRole('button').click()
    await asViewer.page.getByRole('menuitem', { name: 'Leave the organization' }).waitFor()
    expect(await asViewer.page.getByRole('menuitem').count()).toBe(1)
  })
})

const consoleApi = { prefix: '/console/api', headers: { 'sec-fetch-site': 'same-origin' } }
