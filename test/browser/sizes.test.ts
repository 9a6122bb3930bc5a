import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAssets } from '../../src/console/assets.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened } from '../support/console.ts'
import { pages } from '../support/console-pages.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

/** The maximum sizes in bytes after gzip. */
const [entryMax, firstListMax, routeMax, editorMax] = [120_000, 140_000, 90_000, 125_000]

describe.runIf(chromium)('what a page loads', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  let templateId: string
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    await org.post('/contacts', { first_name: 'Ada', email: 'ada@acme.example' })
    const { body } = await org.post('/signatures/templates', { name: 'Sales', html: '{{ email }}' })
    templateId = body.data.template_id
    owner = await newMember(browser.app, org.orgId)
    opened = await browser.open('/sign-in', null)
    opened.page.on('request', (request) => {
      const name = /\/console\/assets\/([\w-]+\.(?:js|css))$/.exec(request.url())?.[1]
      if (name) names.add(name)
    })
  })
  afterAll(() => browser.close())

  const { assets } = readAssets(join(projectRoot, 'console/dist')) ?? { assets: new Map() }

  /** The window that loads one page after another: it asks for each file, although its cache may have it. */
  let opened: Opened
  let names = new Set<string>()

  /** The names of the scripts and styles that a page loads before it shows its content. */
  async function filesOf(path: string, member: SignedIn | null): Promise<Set<string>> {
    names = new Set()
    await browser.reopen(opened, path, member)
    const { page } = opened
    await page.getByRole('heading').first().waitFor()
    await expect.poll(() => page.getByText('Loading', { exact: true }).count(), patience).toBe(0)
    await page.waitForLoadState('networkidle')
    return names
  }

  let entry: Promise<Set<string>> | null = null
  /** The files of the sign-in page, which is loaded once. */
  const filesOfEntry = () => {
    entry ??= filesOf('/sign-in', null)
    return entry
  }

  const sizeOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + (assets.get(name)?.gzip.length ?? 0), 0)

  test('the sign-in page loads at most 120 kB of scripts and styles', async () => {
    const files = await filesOf('/sign-in', null)
    const sizes = [...files].map((name) => `${name} ${sizeOf([name])}`)
    expect(files.size).toBeGreaterThan(1)
    expect(sizeOf(files), sizes.join('\n')).toBeLessThanOrEqual(entryMax)
  })

  test('the list of people loads at most 140 kB of scripts and styles, with the entry', async () => {
    const files = await filesOf('/o/ORG/people', owner)
    const sizes = [...files].map((name) => `${name} ${sizeOf([name])}`)
    expect(sizeOf(files), sizes.join('\n')).toBeLessThanOrEqual(firstListMax)
  })

  test('the editor of a signature adds at most 125 kB to the files of the sign-in page', async () => {
    const [entry, files] = [await filesOfEntry(), await filesOf(`/o/ORG/signatures/${templateId}`, owner)]
    const added = [...files].filter((name) => !entry.has(name))
    const sizes = added.map((name) => `${name} ${sizeOf([name])}`)
    expect(sizeOf(added), sizes.join('\n')).toBeLessThanOrEqual(editorMax)
  })

  test.each(pages.map(({ path }) => path).filter((path) => !/[A-Z_]+$|\?/.test(path.slice('/o/ORG'.length))))(
    '%s adds at most 90 kB to the files of the sign-in page',
    async (path) => {
      const [entry, files] = [await filesOfEntry(), await filesOf(path, owner)]
      expect(sizeOf([...files].filter((name) => !entry.has(name)))).toBeLessThanOrEqual(routeMax)
    },
  )
})
