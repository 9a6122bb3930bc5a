import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { CuttingProxy } from '../support/cutting-proxy.ts'
import { runAsOwner, testKey } from '../support/database.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { expireHeartbeats } from '../support/jobs/expire-heartbeats.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { type Child, cleanUp, startServer } from '../support/processes.ts'

const chromium = chromiumOrSkip()

const note = 'Met at the fair and asked for an offer. '.repeat(12)

/** A file of 5,000 people, 2.7 MB. The server stores it in pieces of 1 MiB. In 37 rows, only the note is left. */
const fair = [
  'Given name,Surname,Mail,Note',
  ...Array.from({ length: 5000 }, (_, n) =>
    n % 137 === 7 ? `,,,${note}` : `Ada,Lovelace ${n},ada.${n}@fair.example,${note}`,
  ),
].join('\n')

const realUpload = /^POST \/console\/api\/contacts\/imports\?(?!.*dry_run=true)/

describe.runIf(chromium)('an import whose server is killed (kill -9)', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  let server: Child
  let network: CuttingProxy
  beforeAll(async () => {
    // This app has no worker: the server that is killed runs the import.
    browser = await ConsoleBrowser.start(chromium ?? '', { role: 'api' })
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
  })
  afterEach(async () => {
    network?.close()
    await browser.closeAll()
    server?.kill('SIGKILL')
    await server?.ended
  })
  afterAll(async () => {
    await cleanUp()
    await browser.close()
  })

  /** Starts the server as its own process, with the console. Returns its address. */
  async function start(): Promise<string> {
    server = startServer({
      ...{ DATABASE_URL: browser.app.databaseUrl, ENCRYPTION_KEY: testKey.toString('base64') },
      ...{ CONSOLE: '1', DEMO: '0' },
    })
    const [, address = ''] = await server.says(/ready at (http:\S+)/)
    await expect.poll(async () => (await fetch(`${address}/console`)).status, { timeout: 60_000 }).toBe(200)
    return address
  }

  const kill = async () => {
    server.kill('SIGKILL')
    await server.ended
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const realImports = async () => (await org.get('/imports?dry_run=false')).body.data
  const isDone = (page: Page) =>
    page.getByRole('heading', { name: '4,963 people are imported. 37 rows were refused.' }).waitFor()

  /** Chooses the file, and waits for the result of its check. */
  async function prepare(address: string): Promise<Page> {
    const { page } = await browser.open('/o/ORG/imports/new', owner)
    await page.goto(`${address}/console/o/${org.orgId}/imports/new`)
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      button(page, 'Choose a file').click(),
    ])
    await chooser.setFiles({ name: 'fair.csv', mimeType: 'text/csv', buffer: Buffer.from(fair) })
    await button(page, 'Check the rows').click()
    await button(page, 'Import 4,963 people').waitFor()
    return page
  }

  /** Nothing is lost, and nothing is there twice. */
  async function expectEachOnce(): Promise<void> {
    expect(await realImports()).toMatchObject([
      { status: 'succeeded', counts: { rows_read: 5000, created: 4963, refused: 37 } },
    ])
    const [found] = await runAsOwner(
      browser.app.databaseUrl,
      `select count(*)::int as people, count(distinct last_name)::int as names,
        (select count(*)::int from import_refusal r join import i using (org_id, import_id)
         where r.org_id = $1 and not i.dry_run) as refused
       from contact where org_id = $1`,
      [org.orgId],
    )
    expect(found).toEqual({ people: 4963, names: 4963, refused: 37 })
  }

  test('at 60 % of the upload, and started again: the file is sent again with the same key, and there is one import', async () => {
    const cutAfter = Math.floor(0.6 * fair.length)
    network = new CuttingProxy(await start(), realUpload, cutAfter, kill)
    const page = await prepare(await network.start())
    await button(page, 'Import 4,963 people').click()
    await page.getByText('The connection is lost.').waitFor()
    expect(network.passed).toBe(cutAfter)
    expect(await realImports()).toHaveLength(0)
    // The page tries again every 5 s.
    network.restore(await start())
    await isDone(page)
    expect([network.keys.length >= 2, new Set(network.keys).size]).toEqual([true, 1])
    await expectEachOnce()
  })

  test('after the upload: the page says that the import continues, and the same import continues', async () => {
    network = new CuttingProxy(await start(), realUpload, Number.POSITIVE_INFINITY)
    const page = await prepare(await network.start())
    await withClient(browser.app, async (client) => {
      // The import cannot store its rows until this lock is gone.
      await client.query('begin; lock table import_lot in exclusive mode')
      await button(page, 'Import 4,963 people').click()
      await page.waitForURL(/\/imports\/[\da-f-]{36}/)
      await page.getByText('Import id').waitFor()
      await untilBlocked(client)
      await kill()
      await page.getByText('Crosswalk does not answer. The import continues.').waitFor()
      await client.query('rollback')
    })
    const importPage = page.url()
    await expireHeartbeats(browser.app.databaseUrl)
    network.restore(await start())
    await isDone(page)
    expect([page.url(), network.keys.length]).toEqual([importPage, 1])
    await expectEachOnce()
  })
})
