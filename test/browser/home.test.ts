import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newMember } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('home and usage', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterAll(() => browser.close())

  test('home mentions the old token of a rotated key only if a program still uses it', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const owner = await newMember(browser.app, org.orgId)
    const [unused, used] = await Promise.all([
      owner.post('/api-keys', { name: 'Export' }),
      owner.post('/api-keys', { name: 'Dialer' }),
    ])
    for (const { body } of [unused, used])
      await owner.post(`/api-keys/${body.api_key_id}/rotate`, { grace_seconds: 86_400 })
    await browser.app.operateOn(org.orgId, (tx) =>
      tx.run(sql`
        update api_key set last_used_at = now() + interval '1 minute'
        where org_id = ${tx.orgId} and api_key_id = ${used.body.api_key_id}`),
    )
    const { page } = await browser.open('/o/ORG', owner)
    await page.getByText('The old token of the key “Dialer” expires').waitFor()
    expect(await page.getByText(/“Export” expires/).count()).toBe(0)
  })

  test('home shows first steps while there is no person, and then what waits, each with a link to its page', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const owner = await newMember(browser.app, org.orgId)
    const opened = await browser.open('/o/ORG', owner)
    const { page } = opened
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByText('Add the first person').waitFor()
    expect(await steps.getByRole('listitem').filter({ hasText: 'API key' }).textContent()).toContain('done')
    await requireNoFaultsInAllLooks(opened)
    // A member who sees only some records cannot know that there are none.
    const limited = await newMember(browser.app, org.orgId, 'member')
    expect((await owner.patch(`/members/${limited.memberId}`, { record_access: 'own' })).status).toBe(200)
    const { page: other } = await browser.open('/o/ORG', limited)
    await other.getByText('Nothing waits for you').waitFor()
    expect(await other.getByText('Add the first person').count()).toBe(0)
    await steps.getByRole('link', { name: 'Connect' }).click()
    await page.getByText('No CRM is connected').waitFor()

    await org.post('/contacts', { email: 'ada@example.com' })
    const { body: template } = await org.post('/signatures/templates', { name: 'Sales', html: '{{ email }}' })
    const { template_id } = template.data
    const { body: mailbox } = await org.post('/signatures/mailboxes', {
      ...{ email: 'ada+refused@example.com', template_id },
    })
    await org.post(`/signatures/mailboxes/${mailbox.data.mailbox_id}/push`, { version: 1 })
    await page.goto(`/console/o/${org.orgId}`)
    const waiting = page.getByRole('region', { name: 'Waiting for you' })
    await waiting.getByText('The signature of ada+refused@example.com is not installed').waitFor()
    expect(await steps.count()).toBe(0)
    // A viewer could not push the signature again, so it does not wait for them.
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const { page: viewed } = await browser.open('/o/ORG', viewer)
    await viewed.getByText('Nothing waits for you').waitFor()
    await waiting.getByRole('link', { name: 'Open template' }).click()
    await page.getByText('failed in 1').waitFor()

    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('group', { name: 'Requests by hour', exact: true }).waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page
      .getByRole('region', { name: 'Webhook requests' })
      .getByRole('link', { name: 'Webhooks' })
      .click()
    await page.getByText('No program gets events yet').waitFor()
  })
})
