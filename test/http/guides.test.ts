import { request } from 'node:http'
import { parse } from 'parse5'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { allPages } from '../support/markdown.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const get = (path: string, headers: Record<string, string> = {}) =>
  app.stranger.get(path, { prefix: '', headers })

type Element = { name: string; attributes: Record<string, string>; text: string }

function elementsOf(html: string): Element[] {
  type Node = {
    tagName?: string
    value?: string
    attrs?: { name: string; value: string }[]
    childNodes?: Node[]
  }
  const found: Element[] = []
  const walk = ({ tagName, value, attrs = [], childNodes = [] }: Node): string => {
    if (tagName === undefined) return value ?? childNodes.map(walk).join('')
    const element = { name: tagName, attributes: {} as Record<string, string>, text: '' }
    for (const { name, value } of attrs) element.attributes[name] = value
    found.push(element)
    element.text = childNodes.map(walk).join('')
    return element.text
  }
  walk(parse(html) as Node)
  return found
}

const addressOf = (file: string) =>
  file === 'docs/README.md'
    ? '/guides'
    : `/guides/${file
        .replace(/^docs\/(guides\/)?/, '')
        .replace(/\.md$/, '')
        .toLowerCase()}`

const served = allPages.map(({ file }) => file).filter((file) => /^docs\/|^SECURITY/.test(file))
const html = new Map<string, Element[]>()
beforeAll(async () => {
  for (const path of served.map(addressOf)) html.set(path, elementsOf((await get(path)).text))
})

describe('a page of /guides', () => {
  test.each(served)('%s has one title, its text, and landmarks', (file) => {
    const elements = html.get(addressOf(file))!
    const named = (name: string) => elements.filter((element) => element.name === name)
    const title = /^# (?:\d+\. )?(.*)$/m.exec(allPages.find((page) => page.file === file)!.text)![1]!
    expect(named('h1').map(({ text }) => text.replace(/^\d+\. /, ''))).toEqual([
      file === 'docs/README.md' ? 'Guides' : title.replaceAll('`', ''),
    ])
    expect(named('title')[0]!.text).toMatch(/^.+ · Crosswalk$/)
    expect([named('main').length, named('header').length]).toEqual([1, 1])
    expect(named('nav').every(({ attributes }) => attributes['aria-label'])).toBe(true)
    expect(elements.filter(({ attributes }) => attributes.href === '#main')).toHaveLength(1)
    const description = elements.find(({ attributes }) => attributes.name === 'description')
    expect(description!.attributes.content, 'the first paragraph has a sentence').not.toBe('')
  })

  test('a page of /guides has no script, no style outside its style sheet, and loads nothing from other hosts', () => {
    for (const [path, elements] of html) {
      expect(
        elements.filter(({ name }) => name === 'script' || name === 'iframe'),
        path,
      ).toEqual([])
      const loud = elements.flatMap(({ attributes }) =>
        Object.keys(attributes).filter((name) => name === 'style' || name.startsWith('on')),
      )
      expect(loud, path).toEqual([])
      const loaded = elements.filter(({ name }) => name === 'img' || name === 'link')
      expect(
        loaded.filter(({ attributes: { src, href } }) => !/^(\/|data:)/.test(src ?? href ?? '')),
      ).toEqual([])
    }
  })

  test('a page of /guides links only to pages, sections, pictures and addresses that exist', async () => {
    const others = new Set<string>()
    for (const [path, elements] of html) {
      const ids = elements.map(({ attributes }) => attributes.id).filter((id) => id !== undefined)
      expect(new Set(ids).size, `${path}: each id is used once`).toBe(ids.length)
      for (const { name, attributes } of elements) {
        const link = name === 'a' ? attributes.href! : name === 'img' ? attributes.src! : '/guides'
        if (/^https?:/.test(link)) continue
        const [target = '', anchor] = link.split('#')
        const page = html.get(target === '' ? path : target)
        if (!page) others.add(target)
        else if (anchor)
          expect(
            page.some(({ attributes: { id } }) => id === anchor),
            `${path}: ${link}`,
          ).toBe(true)
      }
    }
    for (const path of others) expect([path, (await get(path)).status]).toEqual([path, 200])
    expect(others).toContain('/guides/signatures/photo.png')
  })

  test('a page of /guides allows no script with its content security policy', async () => {
    const { headers } = await get('/guides/sync')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+='; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
  })

  test.each(['/guides', '/guides/sync', '/guides/sync.md', '/guides/signatures/photo.png', '/llms.txt'])(
    '%s is sent once, then answers 304 to its ETag',
    async (path) => {
      const first = await get(path)
      expect(first.status).toBe(200)
      const etag = first.headers.get('etag')!
      const second = await get(path, { 'if-none-match': `"other", ${etag}` })
      expect([second.status, second.text, second.headers.get('etag')]).toEqual([304, '', etag])
    },
  )
})

test('the navigation of each page lists every guide, and marks the current page', () => {
  const guides = served.filter((file) => file.startsWith('docs/guides/')).map(addressOf)
  for (const [path, elements] of html) {
    const links = elements.filter(({ name, attributes }) => name === 'a' && attributes.href)
    const linked = new Set(links.map(({ attributes }) => attributes.href))
    expect(
      guides.filter((guide) => !linked.has(guide)),
      'add the guide to src/guides/groups.ts',
    ).toEqual([])
    const current = links.filter(({ attributes }) => attributes['aria-current'] === 'page')
    expect(current.map(({ attributes }) => attributes.href)).toEqual([path])
  }
})

test('text that looks like HTML is shown as text', () => {
  const shown = html
    .get('/guides/call-people')!
    .filter(({ name }) => name === 'code')
    .map(({ text }) => text)
  expect(shown).toContain('GET /voice/calls/<call_id>')
})

describe('a page as Markdown', () => {
  test.each(served)('%s has its text, and links that lead to Markdown', async (file) => {
    const { status, headers, text } = await get(`${addressOf(file)}.md`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
    const source = allPages.find((page) => page.file === file)!.text
    const withoutLinks = (markdown: string) => markdown.replaceAll(/\]\([^)\s]+\)/g, ']()')
    expect(withoutLinks(text)).toBe(withoutLinks(source))
    for (const [, link] of text.matchAll(/\]\((\/[^)#\s]+)/g)) {
      const page = html.has(link!.replace(/\.md$/, ''))
      expect(page ? link!.endsWith('.md') : /\.png$/.test(link!), `${file}: ${link}`).toBe(true)
    }
  })
})

test('/llms.txt lists every page with one line, and openapi.json', async () => {
  const { text, headers } = await get('/llms.txt')
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(text).toMatch(/^# Crosswalk\n\n> .+\n\n[^#]+\n\n## /)
  const lines = text.split('\n').filter((line) => line.startsWith('- '))
  const linked = lines.map((line) => /^- \[.+?\]\((\/\S+)\): .+[.?]$/.exec(line)?.[1] ?? line)
  const expected = served.filter((file) => file !== 'docs/README.md').map((file) => `${addressOf(file)}.md`)
  expect(linked.toSorted()).toEqual(['/openapi.json', ...expected].toSorted())
})

describe('an address without a page', () => {
  test('an address without a page gets 404 with the nearest page and the index', async () => {
    const program = await get('/guides/errors-and-retrys')
    expect([program.status, program.body]).toMatchObject([
      404,
      {
        code: 'path_not_found',
        detail: expect.stringContaining(
          'The nearest page is /guides/errors-and-retries; /guides lists all pages.',
        ),
      },
    ])
    const browser = await get('/guides/errors-and-retrys', { accept: 'text/html,*/*' })
    expect([browser.status, browser.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(browser.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(browser.text).toContain('<a href="/guides/errors-and-retries">Handle errors and retries</a>')
  })

  test.each([
    '/guides/../package.json',
    '/guides/%2e%2e/package.json',
    '/guides/..%2fpackage.json',
    '/guides/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/guides/..%5cpackage.json',
    '/guides//etc/passwd',
    '/guides/guides/sync.md%00',
    '/guides/signatures/examples',
    '/guides/__proto__',
    '/guides/constructor.md',
    '/guides/%3Cscript%3E',
  ])('%s leads to no file', async (path) => {
    const { status, text } = await exchangeOf(path)
    expect(status).toBe(404)
    expect(text).not.toMatch(/"dependencies"|root:|<script>/)
  })

  test('an address without a page below a version prefix needs a key, like every address of the API', async () => {
    expect((await get('/api/v1/guides/sync')).status).toBe(401)
  })
})

/** Sends the path unchanged: fetch would resolve `..`. */
async function exchangeOf(path: string): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const { hostname, port } = new URL(app.address)
  request({ hostname, port, path, headers: { accept: 'text/html' } }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    response.on('end', () => resolve({ status: response.statusCode!, text }))
  })
    .on('error', reject)
    .end()
  return promise
}
