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

const desktop = { width: 1440, height: 900 }

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
  /** The windows of the running test that other tests must not use. */
  readonly #own: Opened[] = []
  /** The windows of the running test that the next test can use. */
  readonly #lent: Opened[] = []
  readonly #idle: Opened[] = []

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
    const all = [this.#own, this.#lent, this.#idle].flatMap((windows) => windows.splice(0))
    await Promise.all(all.map(end))
    await this.app.close()
  }

  /**
   * Opens a page in a browser that stores nothing, signed in as `member` if given.
   * @param path below /console; `ORG` becomes the member's organization
   * @param prepare runs before the page loads, in a new browser with an empty cache. Without it, the page may load in a
   * window of an earlier test, which takes less than half of the CPU time.
   */
  async open(
    path: string,
    member: SignedIn | null,
    prepare?: (page: Page) => Promise<unknown>,
  ): Promise<Opened> {
    const opened = (prepare ? null : this.#idle.pop()) ?? (await this.#newWindow())
    const windows = prepare ? this.#own : this.#lent
    windows.push(opened)
    await this.reopen(opened, path, member, prepare)
    return opened
  }

  /** Like `open`, but in a window that is open already. The window keeps what its pages stored, except cookies. */
  async reopen(
    { page, context, faults }: Opened,
    path: string,
    member: SignedIn | null,
    prepare: (page: Page) => Promise<unknown> = async () => {},
  ): Promise<void> {
    await context.clearCookies()
    if (member)
      await context.addCookies([
        { name: 'crosswalk', value: member.sessionToken, url: this.app.address, httpOnly: true },
      ])
    await page.unrouteAll()
    await prepare(page)
    faults.length = 0
    // Do not wait for the load: each test waits for what it needs.
    await page.goto(`/console${path.replace('ORG', member?.orgId ?? '')}`, { waitUntil: 'commit' })
    // Chromium ignores a route that is set before the new page runs, for as long as the page is open.
    await page.evaluate(() => document.readyState)
  }

  /** Ends the pages of a test. */
  async closeAll(): Promise<void> {
    const lent = this.#lent.splice(0)
    await Promise.all([
      ...this.#own.splice(0).map(end),
      ...lent.map(async (opened) => {
        if (await forget(opened)) this.#idle.push(opened)
        else await end(opened)
      }),
    ])
  }

  async #newWindow(): Promise<Opened> {
    const context = await this.#browser.newContext({
      baseURL: this.app.address,
      viewport: desktop,
      // Turn motion off: colors then change at once.
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    page.setDefaultTimeout(patience.timeout)
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !wanted.test(message.text())) faults.push(message.text())
    })
    return { page, context, faults }
  }
}

/** Closes a window. A request that a test holds or changes may still be on its way: that is no failure of the test. */
async function end({ context }: Opened): Promise<void> {
  const behavior = 'ignoreErrors'
  await Promise.all([context, ...context.pages()].map((owner) => owner.unrouteAll({ behavior })))
  await context.close()
}

/** Makes a window as good as new, except for its cache. Returns false if it cannot. */
async function forget({ page, context }: Opened): Promise<boolean> {
  try {
    if (page.isClosed()) return false
    await Promise.all(context.pages().map((other) => (other === page ? null : other.close())))
    await context.unrouteAll()
    await page.unrouteAll()
    await context.setOffline(false)
    await context.clearPermissions()
    await page.emulateMedia({ media: null, colorScheme: 'light', reducedMotion: 'reduce' })
    await page.setViewportSize(desktop)
    await page.mouse.move(0, 0)
    // A page of the same server runs no code that could store more.
    await page.goto('/healthz')
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    return true
  } catch {
    return false
  }
}

/** Pass this to `open` for a browser that no earlier test used. */
export const inNewBrowser = async (): Promise<void> => {}

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

/**
 * Comes back to a page, as a person does from another window. The page then reads its data again. Resolves once it has.
 * @param path the end of the path that is read
 * @param text what the answer must contain
 */
export async function comeBack(page: Page, path: string, text = ''): Promise<void> {
  let isRead = false
  page.on('response', async (response) => {
    if (response.request().method() !== 'GET' || !new URL(response.url()).pathname.endsWith(path)) return
    // Chromium may have dropped the body of an earlier answer.
    const body = text && (await response.text().catch(() => ''))
    if (body.includes(text)) isRead = true
  })
  const show = () => page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect.poll(() => show().then(() => isRead), patience).toBe(true)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
}
