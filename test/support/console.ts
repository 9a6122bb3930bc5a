import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import type { Config } from '../../src/platform/config.ts'
import { startTestApp, type TestApp } from './app.ts'
import type { SignedIn } from './members.ts'
import { patience } from './patience.ts'

/**
 * Errors in the browser's console that are allowed: requests that the server refuses, which tests cause on purpose.
 */
const wanted = /^Failed to load resource/

/** The limit includes a build of the console. */
const buildMs = { timeout: 170_000, interval: 50 }

let shared: Promise<Browser> | null = null

/** The Chromium that all test files of this process share. */
export function chromiumOfProcess(executablePath: string): Promise<Browser> {
  shared ??= chromium.launch({ executablePath, args: ['--no-sandbox'] })
  return shared
}

/** A page and its faults: errors, and violations of its Content-Security-Policy. */
export type Opened = { page: Page; context: BrowserContext; faults: string[] }

export class ConsoleBrowser {
  readonly #browser: Browser
  readonly app: TestApp
  readonly #contexts: BrowserContext[] = []

  private constructor(browser: Browser, app: TestApp) {
    this.#browser = browser
    this.app = app
  }

  /** Starts a server with the console, and the browser. Close it in `afterAll`. */
  static async start(executablePath: string, config: Partial<Config> = {}): Promise<ConsoleBrowser> {
    const [app, browser] = await Promise.all([
      startTestApp({ servesConsole: true, ...config }),
      chromiumOfProcess(executablePath),
    ])
    await vi.waitFor(async () => {
      const { status, text } = await app.stranger.get('', { prefix: '/console' })
      if (status !== 200) throw new Error(`/console answers ${status}: ${text}`)
    }, buildMs)
    return new ConsoleBrowser(browser, app)
  }

  async close(): Promise<void> {
    await this.closeAll()
    await this.app.close()
  }

  /**
   * Opens a new browser, signed in as `member` if given.
   * @param path below /console; `ORG` becomes the member's organization
   * @param prepare runs before the page loads
   */
  async open(
    path: string,
    member: SignedIn | null,
    prepare: (page: Page) => Promise<unknown> = async () => {},
  ): Promise<Opened> {
    const context = await this.#browser.newContext({
      baseURL: this.app.address,
      viewport: { width: 1440, height: 900 },
      // Turn motion off: colors then change at once.
      reducedMotion: 'reduce',
    })
    this.#contexts.push(context)
    if (member)
      await context.addCookies([
        { name: 'crosswalk', value: member.sessionToken, url: this.app.address, httpOnly: true },
      ])
    const page = await context.newPage()
    page.setDefaultTimeout(patience.timeout)
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !wanted.test(message.text())) faults.push(message.text())
    })
    await prepare(page)
    // Do not wait for the load: each test waits for what it needs.
    await page.goto(`/console${path.replace('ORG', member?.orgId ?? '')}`, { waitUntil: 'commit' })
    return { page, context, faults }
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()))
  }
}

/** Pass this to `open` to control the page's clock with `waitToShow`. */
export const withClock = (page: Page): Promise<void> => page.clock.install()

/**
 * Waits until a page opened `withClock` shows something after it polls. Moves the clock to the next polls, which are
 * up to 15 s away.
 */
export async function waitToShow({ page }: Opened, wanted: Locator): Promise<void> {
  const isShown = async () => {
    if (await wanted.first().isVisible()) return true
    await page.clock.fastForward(1_000)
    return false
  }
  await expect.poll(isShown, { ...patience, interval: 50 }).toBe(true)
}

/** Like `waitToShow`, but waits until something disappears. */
export async function waitToHide({ page }: Opened, unwanted: Locator): Promise<void> {
  const isHidden = async () => {
    if ((await unwanted.count()) === 0) return true
    await page.clock.fastForward(1_000)
    return false
  }
  await expect.poll(isHidden, { ...patience, interval: 50 }).toBe(true)
}
