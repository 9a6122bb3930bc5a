// Measures the list of people of an organization with a million contacts, in Chromium:
// - the time from the address to a list that a person can use, with an empty cache, at a quarter of the processor's speed
//   and 1.6 Mbit/s. The list can be used once its first row is painted and no task of more than 50 ms follows.
// - the time from a new filter to the first row that it finds, without any slowdown.
// Prints medians of five, and with `--waterfall` what the page loads when.
//   node bench/console/large-list.ts [--folder data/bench] [--size 1000000] [--part loads|filters] [--waterfall]
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { putMembership } from '../../src/members/memberships.ts'
import { insertPerson } from '../../src/members/people.ts'
import { openSession } from '../../src/members/sessions.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { system } from '../../src/platform/db/system.ts'
import type { RequestingBrowser } from '../../src/platform/http/requesting-browser.ts'
import { median } from '../support/client.ts'
import { filledOrg, idOf } from '../support/fill.ts'
import { type Bench, openBench } from '../support/installation.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: join(projectRoot, 'data/bench') },
    size: { type: 'string', default: '1000000' },
    waterfall: { type: 'boolean', default: false },
    part: { type: 'string', default: 'both' },
  },
})
const size = Number(values.size)
const rounds = 5
/** 1.6 Mbit/s, and 150 ms for each request, as Lighthouse simulates a phone. */
const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const slowdown = 4
/** A thread that runs no long task for this time is quiet. */
const quietMs = 500

const requestingBrowser: RequestingBrowser = {
  ...{ token: null, attemptToken: null, appSignIns: [], session: null, confirmedUntilMs: 0, confirmWays: [] },
  ...{ origin: 'http://127.0.0.1', isSecure: false, network: '127.0.0.1', userAgent: 'Bench' },
}

/** Returns the token of a new owner's session. */
const signIn = ({ database }: Bench, orgId: string): Promise<string> =>
  system(database).transact(async (tx) => {
    const email = `person-${Date.now()}@bench.example`
    const person = { email, emailKey: email, name: 'Ada', password: '' }
    const memberId = (await insertPerson(tx, person)) ?? ''
    await putMembership(tx, orgId, memberId, 'owner')
    return openSession(tx, memberId, requestingBrowser)
  })

type Seen = { firstRow: number; lastTask: number }

/** Notes when the first row is painted, and when the last long task ended. Runs in the page. */
function watch(): void {
  const seen = { firstRow: 0, lastTask: 0 }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      seen.lastTask = Math.max(seen.lastTask, startTime + duration)
  }).observe({ type: 'longtask', buffered: true })
  const look = () => {
    if (document.querySelector('[role=grid] tbody tr a')?.textContent)
      requestAnimationFrame(() =>
        setTimeout(() => {
          seen.firstRow = performance.now()
        }),
      )
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

const seenOf = (page: Page) => page.evaluate(() => (window as unknown as { seen: Seen }).seen)

/** One load with an empty cache. Returns milliseconds. */
async function load(
  browser: Browser,
  open: (browser: Browser) => Promise<BrowserContext>,
  path: string,
): Promise<{ firstRow: number; usable: number; key: number; lines: string[] }> {
  const context = await open(browser)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(watch)
  const lines: string[] = []
  page.on('requestfinished', async (request) => {
    const { startTime, responseEnd } = request.timing()
    // The page may close before the size is known.
    const size = await request.sizes().then(
      ({ responseBodySize }) => responseBodySize,
      () => 0,
    )
    const { pathname } = new URL(request.url())
    lines.push(
      `${(startTime - startedAt).toFixed(0).padStart(6)} to ${(startTime - startedAt + responseEnd).toFixed(0).padStart(5)} ms ${String(size).padStart(7)} bytes ${request.method()} ${pathname}`,
    )
  })
  const startedAt = Date.now()
  await page.goto(path, { waitUntil: 'commit' })
  let seen = await seenOf(page)
  for (;;) {
    seen = await seenOf(page).catch(() => seen)
    const now = await page.evaluate(() => performance.now())
    if (seen.firstRow > 0 && now > Math.max(seen.firstRow, seen.lastTask) + quietMs) break
    await delay(50)
  }
  // A key that moves to the second row: the time until it is painted.
  const key = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        const pressed = performance.now()
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
        const look = () => {
          const active = document.querySelector('[role=grid]')?.getAttribute('aria-activedescendant')
          if (active?.endsWith('-1')) requestAnimationFrame(() => done(performance.now() - pressed))
          else if (performance.now() - pressed > 5_000) done(Number.NaN)
          else requestAnimationFrame(look)
        }
        look()
      }),
  )
  await context.close()
  return { firstRow: seen.firstRow, usable: Math.max(seen.firstRow, seen.lastTask), key, lines }
}

/** Opens an address of the console in the open page, as a link does. Returns the milliseconds to its first row. */
const filter = (page: Page, search: string, expected: string): Promise<number> =>
  page.evaluate(
    ({ search, expected }) =>
      new Promise<number>((done, fail) => {
        const startedAt = performance.now()
        history.pushState(null, '', `${location.pathname}${search}`)
        dispatchEvent(new PopStateEvent('popstate'))
        const look = () => {
          const grid = document.querySelector('[role=grid]')
          const isOld = grid?.closest('[aria-busy=true]')
          const first = grid?.querySelector('tbody tr')?.textContent ?? ''
          if (!isOld && first.includes(expected))
            requestAnimationFrame(() => done(performance.now() - startedAt))
          else if (performance.now() - startedAt > 30_000)
            fail(new Error(`No row of ${search}: ${first.slice(0, 80)}`))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    { search, expected },
  )

const any = (most: number) => Math.floor(Math.random() * most)
const filtered = (field: string, op: string, value: unknown) =>
  `?filter=${encodeURIComponent(JSON.stringify({ field, op, value }))}`

/** Filters, and what the first row of their answer contains. No two successive ones have the same first row. */
const filters: [name: string, make: () => [search: string, expected: string]][] = [
  ['search for a last name', () => lastName((last) => `?q=${last}`)],
  ['search for an e-mail address', () => address((email) => `?q=${encodeURIComponent(email)}`)],
  ['e-mail address is', () => address((email) => filtered('email', 'eq', email))],
  ['last name is', () => lastName((last) => filtered('last_name', 'eq', last))],
  ['company is', () => companyOf()],
  ['tag is one of a thousand', () => tag(any(1000))],
]

function lastName(search: (last: string) => string): [string, string] {
  const last = `Last${1_000 + any(4_000)}`
  return [search(last), last]
}
function address(search: (email: string) => string): [string, string] {
  const email = `p${1_000 + any(size - 1_000)}@x.example`
  return [search(email), email]
}
function companyOf(): [string, string] {
  const n = any(size / 5)
  return [filtered('company_id', 'eq', idOf('company', n)), `Last${(size - size / 5 + n) % 5_000}`]
}
function tag(n: number): [string, string] {
  return [filtered('tag', 'eq', `t${n}`), `p${size - 1_000 + n}@x.example`]
}

const bench = await openBench(values.folder)
try {
  const { orgId } = await filledOrg(bench, bench.folder, size)
  const token = await signIn(bench, orgId)
  const { address: url } = await bench.serve({ CONSOLE: '1', LOG_LEVEL: 'error' })
  while ((await fetch(`${url}/console`)).status !== 200) await delay(200)
  const browser = await chromium.launch({
    ...{ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] },
  })
  const open = async (browser: Browser) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addCookies([{ name: 'crosswalk', value: token, url, httpOnly: true }])
    return context
  }
  const path = `${url}/console/o/${orgId}/people`
  const loads: Awaited<ReturnType<typeof load>>[] = []
  // The first load warms the server.
  for (let round = 0; round <= rounds && values.part !== 'filters'; round++) {
    const one = await load(browser, open, path)
    if (round > 0) loads.push(one)
  }
  const all = (name: 'firstRow' | 'usable' | 'key') => {
    const times = loads.map((one) => one[name])
    return `${median(times).toFixed(0)} ms (${times.map((ms) => ms.toFixed(0)).join(', ')})`
  }
  if (loads.length > 0)
    console.log(
      `${size} contacts, empty cache, CPU × ${slowdown}, 1.6 Mbit/s, 150 ms: first row after ${all('firstRow')}; usable after ${all('usable')}; then a key is painted after ${all('key')}`,
    )
  if (values.waterfall) console.log(loads.at(-1)?.lines.sort().join('\n'))

  const page = await (await open(browser)).newPage()
  await page.goto(path)
  await page.getByRole('grid').getByRole('row').nth(5).waitFor()
  for (const [name, make] of values.part === 'loads' ? [] : filters) {
    const times: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const [search, expected] = make()
      const ms = await filter(page, search, expected)
      if (round > 0) times.push(ms)
      await filter(page, '', `p${size - 1}@x.example`)
    }
    console.log(
      `${name}: first row after ${median(times).toFixed(0)} ms (${times.map((ms) => ms.toFixed(0)).join(', ')})`,
    )
  }
  await browser.close()
} finally {
  await bench.close()
}
