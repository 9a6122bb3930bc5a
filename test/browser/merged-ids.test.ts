import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { newMember } from '../support/members.ts'
import { createContact, merge } from '../support/merges.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the page of a person into whom others were merged', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterAll(() => browser.close())

  test('shows the ids of all of them, also of people who were merged into one of them before', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const ada = await createContact(org, { first_name: 'Ada' })
    const grace = await createContact(org, { first_name: 'Grace' })
    const rohan = await createContact(org, { first_name: 'Rohan' })
    await merge(org, 'contact', grace, rohan)
    await merge(org, 'contact', ada, grace)
    const owner = await newMember(browser.app, org.orgId)
    const { page } = await browser.open(`/o/ORG/people/${ada}`, owner)
    await page.getByRole('button', { name: 'Undo the merge of Grace' }).waitFor()
    expect(await page.getByText(rohan).count()).toBe(1)
  })

  test('undoes the merge of a person who was merged into one of them before', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const ada = await createContact(org, { first_name: 'Ada' })
    const grace = await createContact(org, { first_name: 'Grace' })
    const rohan = await createContact(org, { first_name: 'Rohan' })
    await merge(org, 'contact', grace, rohan)
    await merge(org, 'contact', ada, grace)
    const owner = await newMember(browser.app, org.orgId)
    const { page } = await browser.open(`/o/ORG/people/${ada}`, owner)
    await page.getByRole('button', { name: `Show the merge of ${rohan}` }).click()
    await page.getByRole('button', { name: 'Undo the merge of Rohan' }).click()
    await page.getByText('Rohan is a record of its own again.').waitFor()
    await page.getByText(rohan).waitFor({ state: 'detached' })
    expect((await org.get(`/contacts/${ada}`)).body.data.merged_ids).toEqual([grace])
  })
})
