import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { newMember } from '../support/members.ts'
import { createContact, merge, undo } from '../support/merges.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the page of a person into whom others were merged', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterAll(() => browser.close())

  /** Opens Ada, into whom Grace was merged, and Rohan into Grace before. */
  async function openAda() {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const ada = await createContact(org, { first_name: 'Ada' })
    const grace = await createContact(org, { first_name: 'Grace' })
    const rohan = await createContact(org, { first_name: 'Rohan' })
    const [first] = await merge(org, 'contact', grace, rohan)
    await merge(org, 'contact', ada, grace)
    const owner = await newMember(browser.app, org.orgId)
    const { page } = await browser.open(`/o/ORG/people/${ada}`, owner)
    const showRohan = page.getByRole('button', { name: `Show the merge of ${rohan}` })
    return { org, ada, grace, rohan, first, page, showRohan }
  }

  test('shows the ids of all of them, also of people who were merged into one of them before', async () => {
    const { page, rohan } = await openAda()
    await page.getByRole('button', { name: 'Undo the merge of Grace' }).waitFor()
    expect(await page.getByText(rohan).count()).toBe(1)
  })

  test('undoes the merge of a person who was merged into one of them before', async () => {
    const { org, ada, grace, rohan, page, showRohan } = await openAda()
    await showRohan.click()
    await page.getByRole('button', { name: 'Undo the merge of Rohan' }).click()
    await page.getByText('Rohan is a record of its own again.').waitFor()
    await page.getByText(rohan).waitFor({ state: 'detached' })
    expect((await org.get(`/contacts/${ada}`)).body.data.merged_ids).toEqual([grace])
  })

  test('says so if somebody else undid such a merge meanwhile, and shows the id no more', async () => {
    const { org, rohan, first, page, showRohan } = await openAda()
    await showRohan.waitFor()
    expect((await undo(org, first?.merge_id ?? '')).status).toBe(200)
    await showRohan.click()
    await page.getByText('This merge was undone meanwhile.').waitFor()
    await page.getByText(rohan).waitFor({ state: 'detached' })
  })
})
