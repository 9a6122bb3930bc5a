import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { newMember } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const executablePath = chromiumOrSkip()
const host = 'crosswalk.example'

describe.runIf(executablePath)('over plain HTTP from another machine', () => {
  let console: ConsoleBrowser
  /** A browser that finds this machine under another host name: not a loopback address, and not a secure context. */
  let browser: Browser
  let address: string
  beforeAll(async () => {
    console = await ConsoleBrowser.start(executablePath ?? '')
    const args = ['--no-sandbox', `--host-resolver-rules=MAP ${host} 127.0.0.1`]
    browser = await chromium.launch({ executablePath: executablePath ?? '', args })
    address = `http://${host}:${new URL(console.app.address).port}/console`
  })
  afterAll(async () => {
    await browser?.close()
    await console?.close()
  })

  async function open(path: string): Promise<{ page: Page; faults: string[] }> {
    const page = await browser.newPage()
    page.setDefaultTimeout(patience.timeout)
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(`${address}${path}`)
    return { page, faults }
  }

  test('the sign-in page says why nobody can sign in and what the operator does, and offers no password field', async () => {
    const { page, faults } = await open('')
    await page.getByRole('heading', { name: 'Sign in needs https' }).waitFor()
    await page.getByText('PUBLIC_URL').waitFor()
    expect(await page.locator('input').count()).toBe(0)
    await requireNoFaultsInTwoThemes({ page, context: page.context(), faults })
  })

  test('the page of a link also says why nobody can sign in, and the link stays usable', async () => {
    const owner = await newMember(console.app, (await console.app.newOrg()).orgId)
    const made = await owner.post('/members/invites', { email: 'ada@acme.example', role: 'viewer' })
    const { url } = made.body.data as { url: string }
    const { page, faults } = await open(url.slice(url.indexOf('/invite')))
    await page.getByText('PUBLIC_URL').waitFor()
    expect([await page.locator('input').count(), faults]).toEqual([0, []])
    const { status } = await console.app.stranger.post(
      '/links/open',
      { token: url.slice(url.indexOf('#') + 1) },
      { prefix: '/console/api', headers: { 'sec-fetch-site': 'same-origin' } },
    )
    expect(status).toBe(200)
  })
})
