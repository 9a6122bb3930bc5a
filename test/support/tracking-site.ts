import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext } from 'playwright-core'

/**
 * A browser of a person. Headless Chromium names itself in its user agent, so its events would count as events of a
 * bot.
 */
export async function personContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
  })
  await context.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }))
  return context
}

const packages = new URL('../../node_modules/', import.meta.url)

/** A web site with its own origin. It serves an empty page, and the files of npm packages below /npm/. */
export class TrackedSite {
  readonly #server: Server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://site')
    const file = /^\/npm\/(.+)$/.exec(pathname)?.[1]
    if (!file) return void response.setHeader('content-type', 'text/html').end('<title>Shop</title>')
    const content = await readFile(new URL(file, packages)).catch(() => null)
    response.writeHead(content ? 200 : 404, { 'content-type': 'text/javascript' }).end(content)
  })

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
