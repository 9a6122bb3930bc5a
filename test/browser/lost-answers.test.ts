import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, waitToHide, waitToShow, withClock } from '../support/console.ts'
import { createRecords, findAmong } from '../support/finding.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { merge } from '../support/merges.ts'
import { patience } from '../support/patience.ts'
import { sendEvents, visitorPath } from '../support/web-visitors.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)(
  'an action whose answer was lost can be tried again, and what was done already shows no error',
  () => {
    let browser: ConsoleBrowser
    let org: TestOrg
    let owner: SignedIn
    beforeAll(async () => {
      browser = await ConsoleBrowser.start(chromium ?? '')
    })
    beforeEach(async () => {
      org = await browser.app.newOrg({ name: 'Lantern Row' })
      owner = await newMember(browser.app, org.orgId)
    })
    afterEach(() => browser.closeAll())
    afterAll(() => browser.close())

    const grace = { first_name: 'Grace', last_name: 'Campbell', email: 'grace@harbor.example' }
    const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

    /** The server does the work, and the browser gets no answer until the returned function is called. */
    async function loseAnswers(
      page: Page,
      pattern = '**/duplicates/undo-merge/*',
    ): Promise<() => Promise<void>> {
      await page.route(pattern, async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      })
      return () => page.unroute(pattern)
    }

    test('a merge of selected people, which can still be undone', async () => {
      await createRecords(org, 'contact', grace, { first_name: 'Ada' }, { first_name: 'Rohan' })
      const opened = await browser.open('/o/ORG/people', owner, withClock)
      const { page } = opened
      await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
      await button(page, /^Merge( M)?$/).click()
      const act = button(page, 'Merge 3 people')
      await expect.poll(() => act.isEnabled(), patience).toBe(true)
      const answer = await loseAnswers(page, '**/duplicates/merge')
      await act.click()
      await waitToShow(opened, page.getByRole('alert').getByText('No answer from Crosswalk'))
      await answer()
      await act.click()
      await waitToShow(opened, page.getByText('3 people are merged'))
      expect((await org.get('/contacts')).body.pagination.total).toBe(1)
      await button(page, 'Undo').click()
      await waitToShow(opened, page.getByText('The merge is undone. All records are back.'))
      expect((await org.get('/contacts')).body.pagination.total).toBe(3)
    })

    test('an undo of selected people', async () => {
      await createRecords(org, 'contact', grace, { first_name: 'Ada' }, { first_name: 'Rohan' })
      const opened = await browser.open('/o/ORG/people', owner, withClock)
      const { page } = opened
      await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
      await button(page, /^Merge( M)?$/).click()
      await button(page, 'Merge 3 people').click()
      await page.getByText('3 people are merged').waitFor()
      const answer = await loseAnswers(page)
      await button(page, 'Undo').click()
      await waitToShow(opened, page.getByText('The merge is not undone: The connection failed'))
      await answer()
      await button(page, 'Undo').click()
      await waitToShow(opened, page.getByText('The merge is undone. All records are back.'))
      expect((await org.get('/contacts')).body.pagination.total).toBe(3)
    })

    test('an undo of a proposal', async () => {
      const ids = await createRecords(org, 'contact', grace, { ...grace, city: 'Leeds' })
      await findAmong(browser.app, org, 'contact', ids)
      const opened = await browser.open('/o/ORG/duplicates', owner, withClock)
      const { page } = opened
      await expect.poll(() => button(page, /^Merge( M)?$/).isEnabled(), patience).toBe(true)
      await button(page, /^Merge( M)?$/).click()
      await page.getByText('are merged').waitFor()
      const answer = await loseAnswers(page)
      await button(page, 'Undo').click()
      await waitToShow(opened, page.getByText('Nothing was undone: The connection failed'))
      await answer()
      await button(page, 'Undo').click()
      await waitToShow(opened, page.getByText('is undone. “Merged” can redo it.'))
      expect((await org.get('/contacts')).body.pagination.total).toBe(2)
    })

    test('an undo on the page of the record', async () => {
      const [a = '', b = ''] = await createRecords(org, 'contact', grace, { first_name: 'Ada' })
      await merge(org, 'contact', a, b)
      const opened = await browser.open(`/o/ORG/people/${a}`, owner, withClock)
      const { page } = opened
      await button(page, 'Undo the merge of Ada').waitFor()
      await loseAnswers(page)
      await button(page, 'Undo the merge of Ada').click()
      await waitToHide(opened, button(page, 'Undo the merge of Ada'))
      expect((await org.get('/contacts')).body.pagination.total).toBe(2)
    })

    test('a new API key, which is made once and shows its token', async () => {
      const opened = await browser.open('/o/ORG/settings/api', owner, withClock)
      const { page } = opened
      await button(page, 'New key').click()
      await page.getByLabel('Name').fill('Website forms')
      const answer = await loseAnswers(page, '**/api-keys')
      await button(page, 'Create key').click()
      await waitToShow(opened, page.getByRole('alert').getByText('No answer from Crosswalk'))
      await answer()
      await button(page, 'Create key').click()
      await page.getByText('Copy the token now').waitFor()
      await page.getByLabel('I have stored it').check()
      await button(page, 'Close').click()
      await page.getByRole('row', { name: /Website forms/ }).waitFor()
      expect(await page.getByRole('row', { name: /Website forms/ }).count()).toBe(1)
      // Another key with the same settings is a new one.
      await button(page, 'New key').click()
      await page.getByLabel('Name').fill('Website forms')
      await button(page, 'Create key').click()
      await page.getByText('Copy the token now').waitFor()
      await expect.poll(() => page.getByRole('row', { name: /Website forms/ }).count(), patience).toBe(2)
    })

    test('a rotated secret of a webhook endpoint, whose older secret still signs', async () => {
      const url = 'https://crm.example.com/hooks'
      const { body } = await org.post('/webhooks/endpoints', { url, types: ['*'] })
      const path = `/webhooks/endpoints/${body.data.endpoint_id}`
      const opened = await browser.open(`/o/ORG/settings${path.replace('/endpoints', '')}`, owner, withClock)
      const { page } = opened
      await button(page, 'Rotate the secret').click()
      const answer = await loseAnswers(page, '**/rotate-secret')
      await button(page, /^Rotate$/).click()
      await waitToShow(opened, page.getByRole('alert').getByText('No answer from Crosswalk'))
      const { version, old_secret_expires_at: expiresAt } = (await org.get(path)).body.data
      expect(expiresAt).not.toBe(null)
      await answer()
      await page.clock.fastForward(10_000)
      await button(page, /^Rotate$/).click()
      await page.getByText('Copy the secret now').waitFor()
      expect((await org.get(path)).body.data).toMatchObject({ version, old_secret_expires_at: expiresAt })
    })

    test('an erasure of a person, and of a visitor', async () => {
      const [id = ''] = await createRecords(org, 'contact', grace)
      const { key } = (await org.post('/write-keys', { name: 'Shop' })).body.data
      await sendEvents(browser.app, key, { name: 'Signed Up' })
      const visitor = visitorPath(org)
      for (const [path, done] of [
        [`/people/${id}`, 'Grace Campbell is erased.'],
        [visitor, 'The visitor was erased.'],
      ] as const) {
        const opened = await browser.open(`/o/ORG${path}`, owner, withClock)
        const { page } = opened
        const dialog = page.getByRole('dialog')
        const act = dialog.getByRole('button', { name: 'Erase' })
        await button(page, 'Erase').click()
        if (path !== visitor) await dialog.getByRole('textbox').fill('Grace Campbell')
        const answer = await loseAnswers(page, '**/erase')
        await act.click()
        await waitToShow(opened, page.getByRole('alert').getByText('No answer from Crosswalk'))
        await answer()
        await act.click()
        await waitToShow(opened, page.getByText(done))
      }
      expect((await org.get(`/contacts/${id}`)).status).toBe(404)
    })

    test('a deletion of an endpoint that somebody else deleted', async () => {
      const url = 'https://crm.example.com/hooks'
      const path = `/webhooks/endpoints/${(await org.post('/webhooks/endpoints', { url, types: ['*'] })).body.data.endpoint_id}`
      const { page } = await browser.open(`/o/ORG/settings${path.replace('/endpoints', '')}`, owner)
      await button(page, 'Delete').click()
      expect((await org.delete(path)).status).toBe(204)
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('The endpoint was deleted.').waitFor()
    })

    test('an edit of a record', async () => {
      const [id = ''] = await createRecords(org, 'contact', grace)
      const opened = await browser.open(`/o/ORG/people/${id}`, owner, withClock)
      const { page } = opened
      await button(page, 'Edit Last name').click()
      await page.getByRole('textbox', { name: 'Last name' }).fill('Kelly')
      const answer = await loseAnswers(page, `**/contacts/${id}`)
      await page.keyboard.press('Enter')
      await waitToShow(opened, page.getByRole('alert').getByText('No answer from Crosswalk'))
      await answer()
      await page.getByRole('textbox', { name: 'Last name' }).press('Enter')
      await waitToShow(opened, button(page, 'Edit Last name'))
      expect(await page.getByRole('dialog').count()).toBe(0)
    })
  },
)
