import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/config.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { pageNamed } from '../support/markdown.ts'
import { leave, type PageWithScript, SdkVisitors } from '../support/sdk-visitors.ts'
import { TrackedSite } from '../support/tracking-site.ts'

const chromium = chromiumOrSkip()
const guide = pageNamed('docs/guides/track-your-website.md')
const server = 'https://crosswalk.example.com'

/** The code blocks of a language that contain `part`. */
const blocks = (language: string, part: string) =>
  guide.blocks
    .filter((block) => block.language === language && block.text.includes(part))
    .map(({ text }) => text)
const block = (language: string, part: string): string => blocks(language, part)[0] ?? ''

describe.runIf(chromium)('the guides of websites:', () => {
  let visitors: SdkVisitors
  beforeAll(async () => {
    visitors = await SdkVisitors.start(chromium ?? '')
  })
  afterEach(() => visitors.closeAll())
  afterAll(() => visitors.close())

  /** A page with HTML of the guide. */
  const sceneOf = (html: string) =>
    visitors.scene({ snippet: (host, key) => html.replaceAll(server, host).replaceAll('wk_live_…', key) })

  const [snippet = ''] = blocks('html', "'init'")
  const deniedSnippet = block('html', 'wait_for_update')
  const eventsOf = async (scene: PageWithScript, count: number) =>
    (await visitors.stored(scene, count)).map(({ type, name }) => `${type} ${name ?? ''}`.trim())

  test('the snippet has less than 500 bytes, and its calls are recorded', async () => {
    expect(Buffer.byteLength(snippet)).toBeLessThan(500)
    const scene = await sceneOf(snippet)
    const page = await visitors.open(await visitors.visitor(), scene)
    for (const code of [...blocks('js', "crosswalk('track'"), ...blocks('js', "crosswalk('identify'")])
      await page.evaluate(code)
    await leave(page)
    expect(await eventsOf(scene, 4)).toEqual(['page', 'track Added To Cart', 'page Pricing', 'identify'])
  })

  test('the snippet that denies consent by default sends nothing until the guide’s consent update runs', async () => {
    const scene = await sceneOf(deniedSnippet)
    const context = await visitors.visitor()
    await leave(await visitors.open(context, scene))
    expect(scene.gate.batches).toEqual([])
    const page = await visitors.open(context, scene)
    await page.evaluate(block('js', "'update'"))
    await leave(page)
    const [event] = await visitors.stored(scene, 1)
    expect(event?.context.consent).toEqual({ analytics_storage: 'granted', ad_storage: 'denied' })
  })

  // The documentation of each consent manager describes these calls after a visitor has chosen.
  test.each([
    [
      'Cookiebot',
      `Object.assign(window, { Cookiebot: { consent: { statistics: true, marketing: false } } })
       dispatchEvent(new Event('CookiebotOnConsentReady'))`,
    ],
    ['OneTrust', `dispatchEvent(new CustomEvent('OneTrustGroupsUpdated', { detail: ['C0001', 'C0002'] }))`],
    [
      'klaro',
      `for (const { name, callback } of klaroConfig.services) callback(name === 'crosswalk', { name })`,
    ],
  ])('consent of %s reaches the script', async (manager, answer) => {
    const scene = await sceneOf(deniedSnippet + block('html', manager))
    const page = await visitors.open(await visitors.visitor(), scene)
    await page.evaluate(answer)
    await leave(page)
    const [event] = await visitors.stored(scene, 1)
    expect(event?.context.consent).toEqual({ analytics_storage: 'granted', ad_storage: 'denied' })
  })

  test('the module records views and events', async () => {
    const scene = await sceneOf(block('html', 'type="module"'))
    const page = await (await visitors.visitor()).newPage()
    await page.goto(visitors.urlOf(scene), { waitUntil: 'networkidle' })
    await leave(page)
    expect(await eventsOf(scene, 2)).toEqual(['page', 'track Opened'])
  })

  test('a snippet that loads from a path of the site gets its cookie from the server', async () => {
    const scene = await sceneOf(block('html', '/cw/sdk/v1.js'))
    const context = await visitors.visitor()
    const page = await visitors.open(context, scene)
    const answer = page.waitForResponse('**/cw/v1/batch')
    await page.evaluate("for (let at = 0; at < 20; at++) crosswalk('track', 'Seen', { at })")
    expect(await (await answer).headerValue('set-cookie')).toMatch(
      /^cw_id=[0-9a-f]{32}; .*Domain=a.localhost$/,
    )
    await visitors.stored(scene, 21)
  })

  /** Where each rule of a proxy sends the two paths of the script. */
  const wanted = [
    ['/cw/sdk/v1.js', `${server}/sdk/v1.js`],
    ['/cw/v1/batch', `${server}/v1/batch`],
  ]

  test('the rules of nginx send both paths to the server, and no cookies', () => {
    const rules = [...block('nginx', 'proxy_pass').matchAll(/location (?:= )?(\S+) \{([^}]+)\}/g)]
    const sent = wanted.map(([path = '']) => {
      const [, start = '', body = ''] = rules.find(([, prefix = '-']) => path.startsWith(prefix)) ?? []
      expect(body).toContain('proxy_set_header Cookie "";')
      return [path, path.replace(start, /proxy_pass (\S+);/.exec(body)?.[1] ?? '')]
    })
    expect(sent).toEqual(wanted)
  })

  test('the rules of Caddy send both paths to the server, and no cookies', () => {
    const text = block('caddy', 'reverse_proxy')
    expect(text).toContain('header_up -Cookie')
    const paths = /path (.+)/.exec(text)?.[1]?.split(' ') ?? []
    const target = /reverse_proxy (\S+)/.exec(text)?.[1] ?? ''
    const strip = /strip_prefix (\S+)/.exec(text)?.[1] ?? '-'
    expect(
      wanted.map(([path = '']) => [
        path,
        paths.some((each) => path.startsWith(each.replace('*', ''))) && target + path.replace(strip, ''),
      ]),
    ).toEqual(wanted)
  })

  test('the rewrites of Next.js send both paths to the server', async () => {
    const folder = join(projectRoot, 'node_modules/.cache/guide')
    mkdirSync(folder, { recursive: true })
    const file = join(folder, 'next.config.mjs')
    writeFileSync(file, block('js', 'rewrites'))
    const { default: config } = await import(pathToFileURL(file).href)
    rmSync(folder, { recursive: true })
    const rules: { source: string; destination: string }[] = await config.rewrites()
    const sent = wanted.map(([path = '']) => {
      const [rule, match] = rules
        .map((each) => [each, new URLPattern({ pathname: each.source }).exec({ pathname: path })] as const)
        .find(([, found]) => found) ?? [null, null]
      return [path, rule?.destination.replace(':file', match?.pathname.groups.file ?? '')]
    })
    expect(sent).toEqual(wanted)
  })

  test("the program of the migration runs with Segment's client", async () => {
    const { blocks } = pageNamed('docs/guides/migrate-from-segment.md')
    const program = blocks.find(({ text }) => text.includes('cdnURL'))?.text ?? ''
    const site = new TrackedSite()
    const address = await site.start()
    try {
      const scene = await visitors.scene()
      const page = await (await visitors.visitor()).newPage()
      await page.goto(address)
      await page.addScriptTag({ url: '/npm/@segment/analytics-next/dist/umd/index.js' })
      await page.evaluate(
        program
          .replace(/import (\{.*\}) from .*/, 'const $1 = AnalyticsNext')
          .replaceAll(server, scene.host)
          .replaceAll('wk_live_…', scene.key),
      )
      const events = await visitors.stored(scene, 3)
      expect(events.map(({ type, name }) => `${type} ${name ?? ''}`.trim()).sort()).toEqual([
        ...['identify', 'page Pricing', 'track Signed Up'],
      ])
    } finally {
      site.stop()
    }
  })
})
