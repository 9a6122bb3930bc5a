// Measures the console as its first user meets it: the time from the API to the console at the first start of a fresh
// clone, the time that it adds to later starts, and the time until a slow phone shows the sign-in page. Needs Chromium
// for the last part.
//   node bench/console/console.ts [first later page]
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { projectRoot } from '../../src/platform/config.ts'
import { median } from '../support/client.ts'

const parts = process.argv.slice(2)
const runs = (part: string) => parts.length === 0 || parts.includes(part)
const port = process.env.PORT ?? '28080'
const address = `http://127.0.0.1:${port}`
/**
 * A phone on 3G, as Lighthouse simulates it: 1.6 Mbit/s, 150 ms for a round trip, and a processor at a quarter of the
 * speed.
 */
const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const slowdown = 4

const folder = mkdtempSync(join(tmpdir(), 'crosswalk-bench-'))
// PostgreSQL's user must enter the folder.
chmodSync(folder, 0o711)
const clone = join(folder, 'clone')

/** Milliseconds from now until the path answers 200. */
async function answers(path: string): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const status = await fetch(`${address}${path}`).then(
      (response) => response.status,
      () => null,
    )
    if (status === 200) return performance.now() - startedAt
    await delay(20)
  }
}

function start(settings: Record<string, string> = {}): ChildProcess {
  const env = { ...process.env, PORT: port, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error', ...settings }
  return spawn('npm', ['start'], { cwd: clone, env, stdio: ['ignore', 'ignore', 'inherit'], detached: true })
}

async function stop(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit')
  // Signal the group: npm starts a shell, which becomes the server.
  process.kill(-server.pid!, 'SIGINT')
  await ended
  while (
    await fetch(address).then(
      () => true,
      () => false,
    )
  )
    await delay(50)
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

async function first(): Promise<void> {
  const server = start()
  const [api, ready] = await Promise.all([answers('/healthz'), answers('/console')])
  console.log(`first start: the API answers after ${seconds(api)}, the console ${seconds(ready - api)} later`)
  await stop(server)
}

async function later(): Promise<void> {
  const times: Record<'with' | 'without', number[]> = { with: [], without: [] }
  for (let round = 0; round < 6; round++) {
    for (const kind of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      const server = start(kind === 'with' ? {} : { CONSOLE: '0' })
      const [api, ready] = await Promise.all([answers('/healthz'), kind === 'with' ? answers('/console') : 0])
      times[kind].push(api)
      if (round === 0 && kind === 'with')
        console.log(`later start: the console answers after ${seconds(ready)}`)
      await stop(server)
    }
  }
  const [withConsole, without] = [median(times.with), median(times.without)]
  console.log(
    `later starts, median of 6: the API answers after ${seconds(withConsole)}, without console ${seconds(without)}`,
  )
}

/** The largest contentful paint and the layout shift of one load with an empty cache. */
async function load(browser: Browser): Promise<{ lcp: number; shift: number }> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(() => {
    const seen = { lcp: 0, shift: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.lcp = entry.startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        seen.shift += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(`${address}/console`)
  await page.getByRole('button', { name: 'Sign in' }).first().waitFor()
  await page.waitForLoadState('networkidle')
  const seen = await page.evaluate(() => (window as unknown as { seen: { lcp: number; shift: number } }).seen)
  await context.close()
  return seen
}

async function page(): Promise<void> {
  const server = start()
  await answers('/console')
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const loads: { lcp: number; shift: number }[] = []
  for (let count = 0; count < 7; count++) loads.push(await load(browser))
  await browser.close()
  const lcps = loads.map(({ lcp }) => lcp)
  console.log(
    `sign-in page, CPU × ${slowdown}, 1.6 Mbit/s: largest contentful paint ${seconds(median(lcps))} (${lcps.map(seconds).join(', ')}), layout shift at most ${Math.max(...loads.map(({ shift }) => shift)).toFixed(3)}`,
  )
  await stop(server)
}

try {
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${projectRoot}`, clone])
  if (runs('first')) await first()
  if (runs('later')) await later()
  if (runs('page')) await page()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
