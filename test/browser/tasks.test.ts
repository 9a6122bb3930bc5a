import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, waitToHide, waitToShow, withClock } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('my tasks', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let ada: SignedIn
  let contactId: string
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    ada = await newMember(browser.app, org.orgId, 'member')
    const { body } = await org.post('/contacts', { first_name: 'Grace', last_name: 'Hopper' })
    contactId = body.data.contact_id
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  async function newTask(title: string, fields: object = {}): Promise<string> {
    const about = { entity_type: 'contact', record_id: contactId }
    const answer = await org.post('/tasks', { ...about, title, assignee_id: ada.memberId, ...fields })
    expect(answer.status).toBe(201)
    return answer.body.data.task_id
  }

  /** A day in the time zone of the browser. */
  const day = (page: Page, later: number) =>
    page.evaluate((days) => {
      const at = new Date()
      at.setDate(at.getDate() + days)
      return [at.getFullYear(), at.getMonth() + 1, at.getDate()]
        .map((part) => String(part).padStart(2, '0'))
        .join('-')
    }, later)

  const open = (member: SignedIn, prepare?: (page: Page) => Promise<unknown>) =>
    browser.open('/o/ORG/tasks', member, prepare)
  const row = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })
  const box = (page: Page, title: string) => page.getByRole('checkbox', { name: `“${title}”` })
  const titleOf = async (taskId: string) => (await org.get(`/tasks/${taskId}`)).body.data

  test('tasks are in groups by their due day, and the navigation counts those that are due', async () => {
    const opened = await open(ada)
    const { page } = opened
    await page.getByText('You have no open task').waitFor()
    for (const [title, later] of [
      ['Call back', -2],
      ['Send the offer', 0],
      ['Prepare the demo', 9],
    ] as const)
      await newTask(title, { due_on: await day(page, later) })
    await newTask('Read the contract')
    await newTask('Somebody else’s', { assignee_id: null })
    await page.reload()
    for (const [group, title, words] of [
      ['Overdue', 'Call back', '2 days ago'],
      ['Today', 'Send the offer', 'Today'],
      ['Later', 'Prepare the demo', ''],
      ['No date', 'Read the contract', ''],
    ] as const) {
      const found = page.getByRole('region', { name: group, exact: true }).getByRole('listitem')
      await expect.poll(() => found.count(), patience).toBe(1)
      expect(await found.textContent()).toContain(title)
      expect(await found.textContent()).toContain(words)
    }
    expect(await row(page, 'Call back').textContent()).toContain('Grace Hopper')
    expect(await page.getByText('Somebody else’s').count()).toBe(0)
    await page.getByRole('link', { name: 'My tasks 2 due' }).waitFor()
    await requireNoFaultsInTwoThemes(opened)
  })

  test('after midnight, an open page has its tasks in the groups of the new day', async () => {
    const opened = await open(ada, withClock)
    const { page } = opened
    await page.getByText('You have no open task').waitFor()
    await newTask('Send the offer', { due_on: await day(page, 0) })
    await newTask('Prepare the demo', { due_on: await day(page, 1) })
    const taskIn = (group: string, title: string) =>
      page.getByRole('region', { name: group, exact: true }).getByRole('listitem').filter({ hasText: title })
    await waitToShow(opened, taskIn('Later', 'Prepare the demo'))
    await taskIn('Today', 'Send the offer').waitFor()
    await page.clock.fastForward(86_400_000)
    await waitToShow(opened, taskIn('Overdue', 'Send the offer').getByText('Yesterday'))
    await taskIn('Today', 'Prepare the demo').getByText('Today').waitFor()
    await waitToShow(opened, page.getByRole('link', { name: 'My tasks 2 due' }))
  })

  test('a click completes a task, and Undo opens it again', async () => {
    const taskId = await newTask('Send the offer')
    const opened = await open(ada)
    const { page } = opened
    await box(page, 'Send the offer').click()
    await page.getByText('“Send the offer” is done.').waitFor()
    await page.getByText('You have no open task').waitFor()
    expect(await titleOf(taskId)).toMatchObject({ completed_by: { kind: 'member', id: ada.memberId } })
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Undo' }).click()
    await box(page, 'Send the offer').waitFor()
    expect(await titleOf(taskId)).toMatchObject({ completed_at: null })
  })

  test('tasks can be created, completed, reopened and edited by keyboard alone', async () => {
    await newTask('First')
    const { page } = await open(ada)
    await row(page, 'First').waitFor()
    await page.keyboard.press('c')
    await page.getByLabel('What to do').waitFor()
    await page.keyboard.type('Send the offer')
    const words = page.getByLabel('Find by name')
    const chooseGrace = async () => {
      await page.getByText('No person has these words.').waitFor()
      await words.focus()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('hopper')
      await page.getByRole('radio', { name: 'Grace Hopper' }).focus()
      await page.keyboard.press('Space')
    }
    await words.focus()
    await page.keyboard.type('nobody')
    await chooseGrace()
    await words.fill('nobody')
    expect(await page.getByRole('button', { name: 'Create task' }).isEnabled()).toBe(false)
    await chooseGrace()
    await page.keyboard.press('Enter')
    await page.getByText('The task is created.').waitFor()
    await row(page, 'Send the offer').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect.poll(() => focused(page), patience).toBe('Send the offer')
    await page.keyboard.press('k')
    await page.keyboard.press('x')
    await page.getByText('“First” is done.').waitFor()
    await expect.poll(() => focused(page), patience).toBe('Send the offer')
    await page.keyboard.press('z')
    await page.getByText('“First” is open again.').waitFor()
    await row(page, 'First').waitFor()
    await page.keyboard.press('e')
    await page.getByLabel('What to do').fill('Send the new offer')
    await page.keyboard.press('Enter')
    await row(page, 'Send the new offer').waitFor()
  })

  test('a record that a person chooses right after they typed words stays chosen, also if the words do not find it', async () => {
    const { page } = await open(ada, withClock)
    await page.getByText('You have no open task').waitFor()
    await page.getByRole('button', { name: 'New task' }).click()
    await page.getByLabel('What to do').fill('Send the offer')
    const grace = page.getByRole('radio', { name: 'Grace Hopper' })
    await grace.waitFor()
    // The words are searched after a pause.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
    await page.getByLabel('Find by name').fill('nobody')
    await grace.check()
    await page.clock.resume()
    await page.getByText('No person has these words.').waitFor()
    expect(await grace.isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Create task' }).click()
    await page.getByText('The task is created.').waitFor()
    expect((await org.get('/tasks')).body.data).toMatchObject([{ record_id: contactId }])
  })

  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

  test('a task that another member completes or receives leaves the page without a reload', async () => {
    const other = await newMember(browser.app, org.orgId, 'member')
    const [done, given] = [await newTask('Done by another'), await newTask('Given to another')]
    const opened = await open(ada, withClock)
    const { page } = opened
    await row(page, 'Done by another').waitFor()
    await other.post(`/tasks/${done}/complete`)
    await waitToHide(opened, row(page, 'Done by another'))
    await other.patch(`/tasks/${given}`, { assignee_id: other.memberId })
    await waitToHide(opened, row(page, 'Given to another'))
    await newTask('From another')
    await waitToShow(opened, row(page, 'From another'))
  })

  test('a task without an assignee can be taken over, and a completed task can be reopened', async () => {
    const taskId = await newTask('Nobody’s', { assignee_id: null })
    const { page } = await open(ada)
    await page.getByRole('radio', { name: 'Unassigned' }).check()
    await page.getByRole('button', { name: 'Actions for “Nobody’s”' }).click()
    await page.getByRole('menuitem', { name: 'Assign to me' }).click()
    await page.getByText('Every open task has somebody in charge').waitFor()
    expect(await titleOf(taskId)).toMatchObject({ assignee_id: ada.memberId })
    await page.getByRole('radio', { name: 'Mine' }).check()
    await box(page, 'Nobody’s').click()
    await page.getByRole('radio', { name: 'Done' }).check()
    await page.getByRole('region', { name: 'Done' }).waitFor()
    expect(new URL(page.url()).searchParams.get('status')).toBe('done')
    await page.getByRole('checkbox', { name: 'Reopen “Nobody’s”' }).click()
    await page.getByText('No task is done yet').waitFor()
  })

  test('a task comes back if the server refuses to complete it', async () => {
    await newTask('Send the offer')
    const { page } = await open(ada)
    await row(page, 'Send the offer').waitFor()
    await page.route('**/complete', (route) =>
      route.fulfill({ status: 409, json: { detail: 'It is locked', code: 'version_conflict' } }),
    )
    await box(page, 'Send the offer').click()
    await page.getByText('“Send the offer” is not changed: It is locked').waitFor()
    await box(page, 'Send the offer').waitFor()
  })

  test('a task that somebody else changed meanwhile keeps both changes', async () => {
    const taskId = await newTask('Send the offer')
    const opened = await open(ada)
    const { page } = opened
    await page.getByRole('button', { name: 'Send the offer', exact: true }).click()
    await page.getByLabel('What to do').fill('Send the new offer')
    await org.patch(`/tasks/${taskId}`, { due_on: '2026-03-31' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else changed the due day of this task').waitFor()
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Save again' }).click()
    await page.getByText('The task is saved.').waitFor()
    expect(await titleOf(taskId)).toMatchObject({ title: 'Send the new offer', due_on: '2026-03-31' })
  })

  test('the record of a task is a link', async () => {
    await newTask('Call back')
    const { page } = await open(ada)
    await row(page, 'Call back').getByRole('link', { name: 'Grace Hopper' }).click()
    await page.waitForURL(`**/people/${contactId}`)
  })

  test('a viewer can read tasks, and cannot change them', async () => {
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    await newTask('Send the offer')
    const { page } = await browser.open('/o/ORG/tasks?of=everyone', viewer)
    await row(page, 'Send the offer').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'New task' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Send the offer' }).click()
    await page.getByText('Your role may read tasks, but not change them.').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  })
})
