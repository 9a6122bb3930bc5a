import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'
import { runAsOwner } from './database.ts'
import { patience } from './patience.ts'
import { Gate, SdkSite } from './sdk-site.ts'
import { newWriteKey } from './tracking-clients.ts'

declare global {
  interface Window {
    crosswalk: (...call: unknown[]) => void
  }
}

/** A domain with two labels below the public suffix. The browser finds all its hosts on this machine. */
export const domain = 'shop.co.uk'

const person =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'

let shared: Promise<Browser> | null = null

/** A Chromium that looks like the browser of a person, with a back-forward cache. It ends with the process. */
const browserOf = (executablePath: string): Promise<Browser> =>
  (shared ??= chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-blink-features=AutomationControlled',
      // Set the user agent for the browser: a request that outlives its page does not have the user agent of its
      // context.
      `--user-agent=${person}`,
      `--host-resolver-rules=MAP *.${domain} 127.0.0.1`,
    ],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  }))

/** A stored event. */
export type Stored = {
  type: string
  name: string | null
  visitor_id: string | null
  user_key: string | null
  session_id: string | null
  url_path: string | null
  referrer_host: string | null
  properties: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: tests read the context, and assert its shape
  context: any
}

/** A write key with a page that has the script. */
export type PageWithScript = { orgId: string; key: string; name: string; gate: Gate; host: string }

export type PageOptions = {
  /** Options of `init`, as JavaScript. */
  options?: string
  /** HTML before the snippet. */
  before?: string
  /** HTML in place of the snippet. */
  snippet?: (host: string, key: string) => string
  csp?: (host: string) => string
}

export const snippetOf = (host: string, key: string, options = ''): string =>
  `<script nonce="n1">(function(w,n){w[n]=w[n]||function(){(w[n].q=w[n].q||[]).push(arguments)}})(window,'crosswalk');` +
  `crosswalk('init','${key}'${options && `,${options}`})</script><script async src="${host}/sdk/v1.js"></script>`

/** A server, a site, and visitors in Chromium. */
export class SdkVisitors {
  readonly app: TestApp
  readonly site: SdkSite
  readonly #browser: Browser
  readonly #opened: (BrowserContext | Gate)[] = []
  #scenes = 0

  private constructor(app: TestApp, browser: Browser) {
    this.app = app
    this.#browser = browser
    this.site = new SdkSite(app.address)
  }

  static async start(executablePath: string): Promise<SdkVisitors> {
    const [app, browser] = await Promise.all([startTestApp(), browserOf(executablePath)])
    const visitors = new SdkVisitors(app, browser)
    await visitors.site.start()
    return visitors
  }

  async scene({ options, before = '', snippet, csp }: PageOptions = {}): Promise<PageWithScript> {
    const { orgId, key } = await newWriteKey(this.app)
    const gate = new Gate(this.app.address)
    this.#opened.push(gate)
    const host = await gate.start()
    const name = `s${++this.#scenes}`
    const script = snippet?.(host, key) ?? snippetOf(host, key, options)
    this.site.serve(name, { head: before + script, ...(csp && { csp: csp(host) }) })
    return { orgId, key, name, gate, host }
  }

  /** A browser with no history. */
  async visitor(prepare?: () => void): Promise<BrowserContext> {
    const context = await this.#browser.newContext()
    context.setDefaultTimeout(patience.timeout)
    if (prepare) await context.addInitScript(prepare)
    this.#opened.push(context)
    return context
  }

  urlOf({ name }: PageWithScript, path = '', host = 'a.localhost'): string {
    return `http://${host}:${this.site.port}/${name}${path}`
  }

  /** Opens the page of a scene, and waits for the script. */
  async open(context: BrowserContext, scene: PageWithScript, path = '', host?: string): Promise<Page> {
    const page = await context.newPage()
    await page.goto(this.urlOf(scene, path, host))
    await page.waitForFunction(() => 'isLoaded' in (window.crosswalk ?? {}))
    return page
  }

  /** Waits until a scene has `count` events, and returns them in the order in which they happened. */
  async stored({ orgId }: PageWithScript, count: number): Promise<Stored[]> {
    const ask = () =>
      runAsOwner<Stored>(
        this.app.databaseUrl,
        `select type, name, visitor_id, user_key, session_id, url_path, referrer_host, properties, context
          from web_event where org_id = $1 order by occurred_at, type, name`,
        [orgId],
      )
    return vi.waitFor(async () => {
      const events = await ask()
      expect(events).toHaveLength(count)
      return events
    }, patience)
  }

  /** The number of events that arrived again after they were stored. */
  async duplicates({ orgId }: PageWithScript): Promise<number> {
    const [row] = await runAsOwner<{ n: number }>(
      this.app.databaseUrl,
      `select coalesce(sum(n), 0)::int as n from web_event_count where org_id = $1 and outcome = 'duplicate'`,
      [orgId],
    )
    return row?.n ?? 0
  }

  /** Closes what a test opened. */
  async closeAll(): Promise<void> {
    for (const each of this.#opened.splice(0)) await (each instanceof Gate ? each.stop() : each.close())
  }

  async close(): Promise<void> {
    await this.closeAll()
    this.site.stop()
    await this.app.close()
  }
}

export const callSdk = (page: Page, ...call: unknown[]): Promise<void> =>
  page.evaluate((given) => window.crosswalk(...given), call)

/** Navigates away from a page, so that its events are sent. */
export const leave = async (page: Page): Promise<void> => void (await page.goto('about:blank'))
