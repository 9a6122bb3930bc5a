import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { newMember } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const executablePath = chromiumOrSkip()

describe.runIf(executablePath)('in a browser in which somebody is signed in, a script of /docs', () => {
  let app: TestApp
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    app = await startTestApp()
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] })
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId)
    const context = await browser.newContext({ baseURL: app.address })
    await context.addCookies([
      { name: 'crosswalk', value: member.sessionToken, url: app.address, httpOnly: true },
    ])
    page = await context.newPage()
    await page.goto('/healthz')
    expect(await statusOf('/console/api/session')).toBe(200)
    await page.goto('/docs')
    await page.getByText('Crosswalk Developer API').first().waitFor({ timeout: patience.timeout })
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  const statusOf = (path: string) =>
    page.evaluate(
      (address) =>
        fetch(address).then(
          ({ status }) => status,
          () => 'refused',
        ),
      path,
    )

  test('the buttons of /docs that copy a code have a name', async () => {
    const button = page.locator('button.scalar-code-copy')
    // The page draws an operation when it comes into view.
    await page.mouse.move(700, 400)
    const scroll = async () => {
      await page.mouse.wheel(0, 500)
      return button.count()
    }
    await expect.poll(scroll, { ...patience, interval: 100 }).toBeGreaterThan(0)
    expect(await button.first().ariaSnapshot()).toContain('Copy the code')
  })

  test('a script of /docs reaches the API and its document, but not the console, for any notation of the path', async () => {
    expect(await statusOf('/openapi.json')).toBe(200)
    expect(await statusOf('/api/v1/contacts')).toBe(401)
    for (const path of [
      '/console/api/session',
      '/api/v1/../../console/api/session',
      '/api/v1/%2e%2e/%2e%2e/console/api/session',
    ])
      expect([path, await statusOf(path)]).toEqual([path, 'refused'])
  })

  test.each(['/healthz', '/console/api/session', `/${'a'.repeat(20_000)}`, '/nowhere'])(
    'a script of /docs keeps no handle on a window that it opens, such as %.30s',
    async (path) => {
      const found = await page.evaluate(async (address) => {
        const opened = window.open(address)
        for (let n = 0; n < 100 && opened && !opened.closed; n++)
          await new Promise((resolve) => setTimeout(resolve, 100))
        return opened === null || opened.closed
      }, path)
      expect(found).toBe(true)
    },
  )

  test('a script of /docs cannot start a worker', async () => {
    const started = await page.evaluate(
      () =>
        new Promise((resolve) => {
          try {
            const worker = new Worker('/docs/scalar.js')
            worker.onerror = () => resolve(false)
            worker.onmessage = () => resolve(true)
          } catch {
            resolve(false)
          }
        }),
    )
    expect(started).toBe(false)
  })
})
