import type { CDPSession, Page } from 'playwright-core'

/** Matches the requests for the content of a page, except the request for the session. */
const reads = /console\/api\/(?!session$)/

/** An error of the server that the console repeats at once. */
const failure = {
  responseCode: 500,
  responseHeaders: [
    { name: 'content-type', value: 'application/json' },
    { name: 'retry-after', value: '0' },
  ],
  body: btoa(JSON.stringify({ detail: 'Something broke', code: 'internal_error' })),
}

/**
 * Controls the requests that a window sends for the content of its pages. Playwright's routes would turn off the
 * browser's cache, and each page would then load and compile all scripts again.
 */
export class ReadsOfWindow {
  /** What happens with the next requests. */
  mode: 'send' | 'hold' | 'fail' = 'send'
  readonly #session: CDPSession
  #held: string[] = []

  private constructor(session: CDPSession) {
    this.#session = session
  }

  static async of(page: Page): Promise<ReadsOfWindow> {
    const session = await page.context().newCDPSession(page)
    const window = new ReadsOfWindow(session)
    session.on('Fetch.requestPaused', ({ requestId, request }) => {
      if (window.mode === 'send' || !reads.test(request.url)) window.#send(requestId)
      else if (window.mode === 'hold') window.#held.push(requestId)
      else window.#answer('Fetch.fulfillRequest', { requestId, ...failure })
    })
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/console/api/*' }] })
    return window
  }

  /** Sends the requests that were held, and all later ones. */
  release(): void {
    this.mode = 'send'
    for (const requestId of this.#held.splice(0)) this.#send(requestId)
  }

  #send(requestId: string): void {
    this.#answer('Fetch.continueRequest', { requestId })
  }

  #answer(...[method, params]: Parameters<CDPSession['send']>): void {
    // The page may have gone, and its requests with it.
    this.#session.send(method, params).catch(() => {})
  }
}
