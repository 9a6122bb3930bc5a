import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened } from '../support/console.ts'
import {
  requireNoFaults,
  requireNoFaultsInAllLooks,
  requireNoFaultsInTwoThemes,
} from '../support/console-faults.ts'
import { importCsv, uploadCsv } from '../support/csv-imports.ts'
import { CuttingProxy } from '../support/cutting-proxy.ts'
import { withClient } from '../support/direct-sql.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

/** A file of 5,000 people. In 37 rows, only the size of the shoes is left. */
const fair = [
  'Given name,Surname,Mail,Stage of life,Shoe size',
  ...Array.from({ length: 5000 }, (_, n) => {
    const size = 36 + (n % 10)
    return n % 137 === 7 ? `,,,,${size}` : `Ada,Lovelace ${n},ada.${n}@fair.example,lead,${size}`
  }),
].join('\n')

const fileOf = (name: string, text: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text as string),
})

describe.runIf(chromium)('imports', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '', { importMaxBytes: 2_000_000 })
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const becomes = (page: Page, header: string) =>
    page.getByRole('combobox', { name: `“${header}” becomes`, exact: true })
  const realImports = async () => (await org.get('/imports?dry_run=false')).body.data

  /** Opens the wizard with a file. @param address of the server, or of a proxy before it */
  async function choose(
    name: string,
    text: string | Buffer,
    path = '/o/ORG/imports/new',
    address?: string,
  ): Promise<Opened> {
    const opened = await browser.open(path, owner)
    if (address) await opened.page.goto(`${address}/console${path.replace('ORG', org.orgId)}`)
    await chooseIn(opened.page, name, text)
    return opened
  }

  async function chooseIn(page: Page, name: string, text: string | Buffer): Promise<void> {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      button(page, 'Choose a file').click(),
    ])
    await chooser.setFiles(fileOf(name, text))
  }

  test('5,000 rows are imported and reverted in 6 clicks and 2 for each odd column, and 37 refused rows can be downloaded', async () => {
    const opened = await browser.open('/o/ORG/imports', owner)
    const { page } = opened
    let clicks = 0
    const click = async (control: ReturnType<typeof button>) => {
      clicks += 1
      await control.click()
    }
    await click(page.getByRole('link', { name: 'Import a file' }).first())
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      click(button(page, 'Choose a file')),
    ])
    await chooser.setFiles(fileOf('fair.csv', fair))
    await page.getByText('3 of 5 columns are recognized.').waitFor()
    await requireNoFaultsInAllLooks(opened)
    clicks += 2
    await becomes(page, 'Stage of life').selectOption({ label: 'Stage' })
    await page.getByText('Crosswalk does not have is stored as the extra value “Stage of life”.').waitFor()
    await click(button(page, 'Check the rows'))
    await page.getByRole('heading', { name: '4,963 people are ready. 37 rows are not.' }).waitFor()
    expect((await org.get('/contacts?limit=1')).body.pagination.total).toBe(0)
    await requireNoFaultsInAllLooks(opened)
    await click(button(page, 'Import 4,963 people'))
    await page.getByRole('heading', { name: '4,963 people are imported. 37 rows were refused.' }).waitFor()
    await requireNoFaultsInAllLooks(opened)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download as CSV').click(),
    ])
    expect(download.suggestedFilename()).toBe('fair-refused.csv')
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString().trim().split('\r\n')).toHaveLength(1 + 37)
    const { body } = await org.get('/contacts?limit=1')
    expect(body.pagination.total).toBe(4963)
    const custom = { 'Shoe size': expect.anything() }
    expect(body.data[0]).toMatchObject({ lifecycle_stage: 'lead', custom })
    await org.patch(`/contacts/${body.data[0].contact_id}`, { first_name: 'Augusta' })
    const before = clicks
    await click(button(page, 'Revert import'))
    await requireNoFaultsInTwoThemes(opened)
    await click(page.getByRole('dialog').getByRole('button', { name: 'Revert import' }))
    await page.getByRole('heading', { name: 'The import is reverted.' }).waitFor()
    await page.getByText('4,962 people taken back. 1 person kept').waitFor()
    await page.getByRole('link', { name: 'View the kept people' }).waitFor()
    expect(clicks - before).toBeLessThanOrEqual(2)
    expect(clicks).toBeLessThanOrEqual(6 + 2)
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('link', { name: 'All imports' }).click()
    await page.getByRole('row', { name: /fair\.csv.*Reverted/ }).waitFor()
  })

  test('a refused row has its line and a sentence with the name of its column, and records of it are links', async () => {
    const ids: string[] = []
    for (const first_name of ['Ada', 'Augusta'])
      ids.push((await org.post('/contacts', { first_name, email: 'ada@fair.example' })).body.data.contact_id)
    const done = await importCsv(
      org,
      'Mail,Einwilligung\nada@fair.example,ja\nbo@fair.example,vielleicht\n',
      {
        query: { match_on: 'email' },
        mapping: { Einwilligung: 'consent_email' },
      },
    )
    const opened = await browser.open(`/o/ORG/imports/${done.import_id}`, owner)
    const { page } = opened
    const row = (line: string) =>
      page.getByRole('row').filter({ has: page.getByRole('cell', { name: line, exact: true }) })
    await row('2')
      .getByText('2 contacts match column "Mail": Ada, Augusta.')
      .or(row('2').getByText('Augusta, Ada.'))
      .waitFor()
    await row('3')
      .getByText('Column "Einwilligung": the value must be granted, denied or unknown, or yes or no.')
      .waitFor()
    await requireNoFaultsInAllLooks(opened)
    await row('2').getByRole('link', { name: 'Augusta' }).click()
    await page.waitForURL(`**/people/${ids[1]}`)
  })

  test('a running import is canceled with one click, and says what it wrote', async () => {
    await withClient(browser.app, async (client) => {
      // The import cannot store its rows until this lock is gone.
      await client.query('begin; lock table import_lot in exclusive mode')
      const { body } = await uploadCsv(org, fair, { fileName: 'fair.csv' })
      const opened = await browser.open(`/o/ORG/imports/${body.data.import_id}`, owner)
      const { page } = opened
      await button(page, 'Cancel import').waitFor()
      await requireNoFaultsInTwoThemes(opened)
      await button(page, 'Cancel import').click()
      await page.getByRole('heading', { name: 'The import was canceled.' }).waitFor()
      await page.getByText('Nothing was written.').waitFor()
      await requireNoFaultsInAllLooks(opened)
      await client.query('rollback')
      expect((await org.get('/contacts?limit=1')).body.pagination.total).toBe(0)
      await page.getByRole('link', { name: 'All imports' }).click()
      await page.getByRole('row', { name: /fair\.csv.*Canceled/ }).waitFor()
    })
  })

  test('a file that cannot be imported is refused before it is sent, and without a usable column its rows cannot be checked', async () => {
    const sent: string[] = []
    const { page } = await browser.open('/o/ORG/imports/new', owner, async (opened) => {
      opened.on('request', (request) => {
        if (/imports(\?|$)/.test(request.url()) && request.method() === 'POST') sent.push(request.url())
      })
    })
    for (const [name, text, says] of [
      ['empty.csv', '', '“empty.csv” is empty.'],
      ['large.csv', `name,email\n${'Ada,ada@example.com\n'.repeat(120_000)}`, 'The maximum is 1.9 MB.'],
      ['photo.csv', Buffer.from('1f8b0800000000000003', 'hex'), 'The file is a spreadsheet or an archive'],
    ] as const) {
      await chooseIn(page, name, text as string)
      await page.getByText(says).waitFor()
    }
    await chooseIn(page, 'shoes.csv', 'Shoe size,Color\n38,red\n')
    await page.getByText('No column says whom a row is about.').waitFor()
    expect(await button(page, 'Check the rows').isDisabled()).toBe(true)
    await becomes(page, 'Color').selectOption({ label: 'Id in another system' })
    await page.getByRole('textbox', { name: 'System of the id in “Color”' }).fill('shop')
    expect(await button(page, 'Check the rows').isEnabled()).toBe(true)
    expect(sent).toEqual([])
  })

  test('an upload that breaks off is sent again with the same Idempotency-Key, and the page catches up after an outage', async () => {
    const opened = await choose('fair.csv', fair)
    const { page, context } = opened
    await button(page, 'Check the rows').click()
    await button(page, 'Import 4,963 people').waitFor()
    const keys: string[] = []
    const note = (key: string | undefined) => keys.push(key ?? 'none')
    await page.route(/contacts\/imports\?/, async (route) => {
      note(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      // The server got the whole file, but its answer is lost.
      await route.fetch()
      await context.setOffline(true)
    })
    await button(page, 'Import 4,963 people').click()
    await page.getByText('The connection is lost.').waitFor()
    await requireNoFaults(opened)
    await page.route(/api\/imports\/[\w-]+$/, (route) => route.abort('connectionrefused'))
    await context.setOffline(false)
    await page
      .getByText('Crosswalk does not answer.')
      .or(page.getByText('No answer from Crosswalk'))
      .waitFor()
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
    expect(await realImports()).toHaveLength(1)
    await page.unroute(/api\/imports\/[\w-]+$/)
    await page
      .getByRole('heading', { name: '4,963 people are imported. 37 rows were refused.' })
      .or(button(page, 'Try again'))
      .waitFor()
    if (await button(page, 'Try again').isVisible()) await button(page, 'Try again').click()
    await page.getByRole('heading', { name: '4,963 people are imported. 37 rows were refused.' }).waitFor()
  })

  test('offline at 60 % of the upload: the file is sent again with the same key, and there is one import', async () => {
    const cutAfter = Math.floor(0.6 * fair.length)
    const network = new CuttingProxy(
      browser.app.address,
      /^POST \/console\/api\/contacts\/imports\?(?!.*dry_run=true)/,
      cutAfter,
    )
    try {
      const { page } = await choose('fair.csv', fair, '/o/ORG/imports/new', await network.start())
      await button(page, 'Check the rows').click()
      await button(page, 'Import 4,963 people').click()
      await page.getByText('The connection is lost.').waitFor()
      expect(network.passed).toBe(cutAfter)
      expect(await realImports()).toHaveLength(0)
      network.restore()
      await button(page, 'Try now').click()
      await page.getByRole('heading', { name: '4,963 people are imported. 37 rows were refused.' }).waitFor()
      expect([network.keys.length, new Set(network.keys).size]).toEqual([2, 1])
      expect(await realImports()).toHaveLength(1)
      expect((await org.get('/contacts?limit=1')).body.pagination.total).toBe(4963)
    } finally {
      network.close()
    }
  })

  test('a file with 202 columns in Latin-1 updates people who exist, by keyboard', async () => {
    const { body } = await org.post('/contacts', { first_name: 'Ada', email: 'ada@fair.example' })
    const more = Array.from({ length: 200 }, (_, n) => `Größe ${n}`)
    const rows = [
      `Crosswalk;Mail;${more.join(';')}`,
      `${body.data.contact_id};ada@fair.example;${more.join(';')}`,
    ]
    const { page } = await choose('wide.csv', Buffer.from(rows.join('\n'), 'latin1'))
    await page.getByText('1 of 202 columns are recognized.').waitFor()
    await page.getByText('Größe 199', { exact: true }).first().waitFor()
    await becomes(page, 'Größe 3').focus()
    await becomes(page, 'Größe 3').selectOption({ label: 'City' })
    await page.getByLabel('People who are here already').selectOption({ label: 'Update by e-mail address' })
    await button(page, 'Check the rows').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '1 person is ready.' }).waitFor()
    await button(page, 'Import 1 person').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '1 person is imported.' }).waitFor()
    const read = await org.get(`/contacts/${body.data.contact_id}`)
    expect(read.body.data).toMatchObject({ city: 'Größe 3', custom: { 'Größe 4': 'Größe 4' } })
  })

  test('a role sees only what it may do, leaving a chosen file asks, and a failed check says why', async () => {
    await importCsv(org, 'name\nAda\n', { fileName: 'one.csv' })
    const viewer = await browser.open('/o/ORG/imports', await newMember(browser.app, org.orgId, 'viewer'))
    await viewer.page.getByRole('row', { name: /one\.csv/ }).waitFor()
    expect(await viewer.page.getByRole('link', { name: 'Import a file' }).count()).toBe(0)
    expect(await viewer.page.getByRole('button', { name: /^Revert/ }).count()).toBe(0)
    await viewer.page.goto(`/console/o/${org.orgId}/imports/new`)
    await viewer.page.getByText('Your role may not import files').waitFor()
    await requireNoFaults(viewer)
    const { page } = await choose('header.csv', 'name,email\n')
    await button(page, 'Check the rows').click()
    await page.getByRole('heading', { name: 'The file has no rows below its header.' }).waitFor()
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('dialog', { name: 'Leave without importing?' }).waitFor()
    await button(page, 'Stay').click()
    await page.getByRole('heading', { name: 'The file has no rows below its header.' }).waitFor()
    await page.getByRole('link', { name: 'People' }).click()
    await button(page, 'Leave').click()
    await page.getByRole('heading', { name: 'People' }).waitFor()
  })
})
