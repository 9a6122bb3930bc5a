import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaults } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()
const stages = ['Lead', 'Demo', 'Offer']

describe.runIf(chromium)('settings of deals', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let ada: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    ada = await newMember(browser.app, org.orgId)
    await org.send('PUT', '/deals/stages', { body: { stages } })
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  test('stages are added, renamed, moved and removed with their deals, even if somebody else changed them meanwhile', async () => {
    const { body } = await org.post('/deals', { name: 'Migration', stage: 'Demo' })
    const read = async () => (await org.get(`/deals/${body.data.deal_id}`)).body.data
    const stagesNow = async () => (await org.get('/deals/stages')).body.data.stages
    const opened = await browser.open('/o/ORG/settings/deals', ada)
    const { page } = opened
    const row = (stage: string) => page.getByRole('row').filter({ hasText: stage })
    const act = async (stage: string, name: string) => {
      await button(page, `Actions for ${stage}`).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await expect.poll(() => row('Demo').textContent(), patience).toContain('1')
    await act('Demo', 'Rename')
    await page.getByRole('textbox', { name: 'Name' }).fill('Lead')
    await page.getByText('There is a stage with this name already').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Trial')
    await org.send('PUT', '/deals/stages', { body: { stages: [...stages, 'Contract'] } })
    await page.getByRole('textbox', { name: 'Name' }).press('Enter')
    await row('Trial').waitFor()
    expect(await stagesNow()).toEqual(['Lead', 'Trial', 'Offer', 'Contract'])
    expect((await read()).stage).toBe('Trial')
    await button(page, 'Move Trial down').click()
    await expect.poll(stagesNow, patience).toEqual(['Lead', 'Offer', 'Trial', 'Contract'])
    await act('Trial', 'Remove')
    await page.getByText('1 open deal is in this stage').waitFor()
    await page.getByLabel('The deals go to').selectOption('Contract')
    await requireNoFaults(opened)
    await button(page, 'Remove stage').click()
    await page.getByText('Trial is removed').waitFor()
    expect((await read()).stage).toBe('Contract')
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Name' }).fill('Signed')
    await page.keyboard.press('Enter')
    await row('Signed').waitFor()
    expect(await stagesNow()).toEqual(['Lead', 'Offer', 'Contract', 'Signed'])
  })

  test('a stage is not said to be removed if somebody else removed the stage to which its deals would go', async () => {
    const { page } = await browser.open('/o/ORG/settings/deals', ada)
    await button(page, 'Actions for Demo').click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByLabel('The deals go to').selectOption('Offer')
    await org.send('PUT', '/deals/stages', { body: { stages: ['Lead', 'Demo', 'Contract'] } })
    await button(page, 'Remove stage').click()
    await page.getByText('Somebody else changed this stage meanwhile').waitFor()
    await page.getByRole('row').filter({ hasText: 'Contract' }).waitFor()
    expect(await page.getByText('Demo is removed').count()).toBe(0)
    expect((await org.get('/deals/stages')).body.data.stages).toEqual(['Lead', 'Demo', 'Contract'])
  })

  test('a person who may manage close reasons creates, moves, archives and restores them', async () => {
    const labels = async () =>
      (await org.get('/deals/close-reasons')).body.data.close_reasons.map(
        ({ label }: { label: string }) => label,
      )
    const before: string[] = await labels()
    const { page } = await browser.open('/o/ORG/settings/deals', ada)
    await button(page, 'New reason').click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('Too slow')
    await page.getByRole('radio', { name: 'Both' }).check()
    await page.getByRole('textbox', { name: 'Reason' }).press('Enter')
    await button(page, 'Move Too slow up').click()
    await expect.poll(labels, patience).toEqual(before.toSpliced(-1, 0, 'Too slow'))
    const archive = async () => {
      await button(page, 'Actions for Too slow').click()
      await page.getByRole('menuitem', { name: 'Archive' }).click()
      await page.getByText('“Too slow” is archived').waitFor()
    }
    await archive()
    await button(page, 'Undo').click()
    await expect.poll(labels, patience).toEqual(before.toSpliced(-1, 0, 'Too slow'))
    await archive()
    await page.getByLabel('Show archived reasons').check()
    await page.getByRole('table', { name: 'Archived' }).getByRole('button', { name: 'Restore' }).click()
    await expect.poll(labels, patience).toEqual([...before, 'Too slow'])
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const other = await browser.open('/o/ORG/settings/deals', viewer)
    await other.page.getByText('Too slow').waitFor()
    expect(await button(other.page, 'New reason').count()).toBe(0)
    expect(await button(other.page, 'New stage').count()).toBe(0)
  })
})
