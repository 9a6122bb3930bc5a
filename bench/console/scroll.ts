// Measures how long the list of people takes to react while a person scrolls through 10,000 of 20,000 people: p98 of the
// durations of `event` entries (from a key press to the next paint). Needs Chromium.
//   node bench/console/scroll.ts [slowdown of the processor, by default 1]
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium, type Locator, type Page } from 'playwright-core'
import { projectRoot } from '../../src/platform/config.ts'

const slowdown = Number(process.argv[2] ?? 1)
const [people, rows] = [20_000, 10_000]
/** The time between two presses while a person holds a key down. */
const repeatMs = 33

const folder = mkdtempSync(join(tmpdir(), 'crosswalk-bench-'))
// PostgreSQL's user must enter the folder.
chmodSync(folder, 0o711)

/** Starts a server with the demo organization. Returns what it prints once. */
async function start(): Promise<{ server: ChildProcess; address: string; setUp: string; key: string }> {
  const env = { ...process.env, PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error', CONSOLE: '1' }
  const server = spawn(process.execPath, ['src/main.ts'], {
    cwd: projectRoot,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  server.stdout.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  while (!/Ctrl-C/.test(said)) await once(server.stdout, 'data')
  const found = (pattern: RegExp) => pattern.exec(said)?.[1] ?? ''
  return {
    server,
    address: found(/ready at (http:\S+)/),
    setUp: found(/(http:\S+set-up#\S+)/),
    key: found(/(svc_live_\S+)/),
  }
}

async function importPeople(address: string, key: string): Promise<void> {
  const row = (n: number) =>
    `Ada,Lovelace ${n},ada.${n}@many.example,Founder,+1415555${String(n % 10_000).padStart(4, '0')}`
  const csv = [
    'first_name,last_name,email,job_title,phone',
    ...Array.from({ length: people }, (_, n) => row(n)),
  ]
  const headers = { authorization: `Bearer ${key}` }
  const sent = await fetch(`${address}/api/v1/contacts/imports`, {
    ...{ method: 'POST', body: csv.join('\n'), headers: { ...headers, 'content-type': 'text/csv' } },
  })
  const { data } = (await sent.json()) as { data: { import_id: string } }
  for (;;) {
    const answer = await fetch(`${address}/api/v1/imports/${data.import_id}`, { headers })
    const { status } = ((await answer.json()) as { data: { status: string } }).data
    if (status === 'succeeded') return
    if (status === 'failed') throw new Error('The import failed')
    await delay(500)
  }
}

async function signIn(page: Page, setUp: string): Promise<void> {
  await page.goto(setUp)
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('E-mail').fill('ada@bench.example')
  const password = page.getByRole('button', { name: /password/i })
  if (await password.count()) await password.first().click()
  await page.getByLabel('Password', { exact: true }).fill('seven green bicycles')
  await page.locator('button[type=submit]').click()
  await page.waitForURL(/\/o\//)
}

/** The number of the last row that is drawn. */
const lastRow = (grid: Locator): Promise<number> =>
  grid
    .getByRole('row')
    .evaluateAll((all) => Math.max(...all.map((row) => Number(row.getAttribute('aria-rowindex')))))

async function scroll(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'People', exact: true }).click()
  const grid = page.getByRole('grid')
  await grid.waitFor()
  await grid.getByRole('row').nth(5).waitFor()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  // In CPU time of the thread, which other work of the machine does not change.
  await devtools.send(
    'Performance.setTimeDomain' as 'Performance.enable',
    { timeDomain: 'threadTicks' } as object,
  )
  await devtools.send('Performance.enable')
  const cpuMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
  }
  await page.evaluate(() => {
    const durations: number[] = []
    Object.assign(window, { durations })
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') durations.push(duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  await page.keyboard.press('j')
  let presses = 0
  const [startedAt, cpuBefore] = [performance.now(), await cpuMs()]
  while (presses < 2_000) {
    await page.keyboard.press('PageDown')
    presses += 1
    await delay(repeatMs)
    if (presses % 25 === 0 && (await lastRow(grid)) > rows) break
  }
  const cpu = (await cpuMs()) - cpuBefore
  const durations = await page.evaluate(() => (window as unknown as { durations: number[] }).durations)
  // Shorter events have no entry.
  const all = [
    ...durations,
    ...Array.from({ length: Math.max(0, presses - durations.length) }, () => 0),
  ].sort((a, b) => a - b)
  const at = (part: number) => all[Math.min(all.length - 1, Math.floor(all.length * part))]
  console.log(
    `scroll of ${rows} rows, CPU × ${slowdown}: ${presses} presses in ${((performance.now() - startedAt) / 1000).toFixed(0)} s; ${(cpu / presses).toFixed(1)} ms CPU time of the page for each; event durations p50 ${at(0.5)} ms, p98 ${at(0.98)} ms, longest ${all.at(-1)} ms`,
  )
}

const { server, address, setUp, key } = await start()
try {
  await importPeople(address, key)
  const browser = await chromium.launch({
    ...{ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] },
  })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  while ((await fetch(`${address}/console`)).status !== 200) await delay(200)
  await signIn(page, setUp)
  await scroll(page)
  await browser.close()
} finally {
  server.kill('SIGINT')
  await once(server, 'exit')
  rmSync(folder, { recursive: true, force: true })
}
