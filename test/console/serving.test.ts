import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readAssets } from '../../src/console/assets.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { startTestApp } from '../support/app.ts'
import { patience } from '../support/patience.ts'

describe('the built console', async () => {
  const app = await startTestApp({ servesConsole: true })
  afterAll(() => app.close())
  const get = (path: string, headers: Record<string, string> = {}) =>
    app.stranger.get(path, { prefix: '/console', headers })
  beforeAll(() =>
    vi.waitFor(async () => {
      if ((await get('')).status !== 200) throw new Error('the console is not ready')
    }, patience),
  )

  const entryOf = (html: string) => /\/assets\/[\w-]+\.js/.exec(html)?.[0] ?? ''

  test('browsers get the page below /console, with headers that forbid other sources', async () => {
    const page = await get('/o/01a1fe49-a370-7040-bfb4-6c917db78a2c/settings/api')
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-")
    for (const part of ["frame-ancestors 'none'", "base-uri 'none'", "require-trusted-types-for 'script'"])
      expect(policy).toContain(part)
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|javascript:/)
  })

  test('each answer has a nonce of its own, in the policy and in the page', async () => {
    const pages = await Promise.all([get(''), get('')])
    const nonces = pages.map(({ headers, text }) => {
      const [, nonce = ''] = /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '') ?? []
      expect(text).toContain(`nonce="${nonce}"`)
      return nonce
    })
    expect(nonces[0]).not.toBe(nonces[1])
    expect(nonces[0]).toMatch(/^[\w+/]{22}==$/)
  })

  test('a page says whether the browser may have a session, so that the sign-in needs no request for it', async () => {
    const hint = async (cookie: string) =>
      /<meta name="session" content="(\w+)"/.exec((await get('', { cookie })).text)?.[1]
    const token = 'A'.repeat(43)
    expect(await hint('theme=dark')).toBe('none')
    expect(await hint(`crosswalk-sso=${token}`)).toBe('none')
    expect(await hint(`theme=dark; crosswalk=${token}`)).toBe('maybe')
    expect(await hint(`__Host-crosswalk=${token}`)).toBe('maybe')
  })

  test('the page of a list names its scripts and styles, but not to a browser without a session', async () => {
    const orgId = '01a1fe49-a370-7040-bfb4-6c917db78a2c'
    const cookie = `crosswalk=${'A'.repeat(43)}`
    const filesOf = async (path: string, headers: Record<string, string> = { cookie }) =>
      [
        ...(await get(path, headers)).text.matchAll(/(?:src|href)="\/console(\/assets\/[^"]+\.(?:js|css))"/g),
      ].map(([, name]) => name ?? '')
    const [first, frame, people, companies] = [
      await filesOf(`/o/${orgId}/people`, {}),
      await filesOf(`/o/${orgId}/people/01a1fe49-a370-7040-bfb4-6c917db78a2d`),
      await filesOf(`/o/${orgId}/people?q=ada`),
      await filesOf(`/o/${orgId}/companies`),
    ]
    expect(await filesOf('/sign-in')).toEqual(first)
    expect(frame).toEqual(expect.arrayContaining(first))
    expect(people).toEqual(expect.arrayContaining(frame))
    expect([first.length, companies.length]).toEqual([2, people.length])
    expect([frame.length > first.length, people.length > frame.length]).toEqual([true, true])
    expect(companies).not.toEqual(people)
    for (const name of new Set([...people, ...companies])) expect((await get(name)).status, name).toBe(200)
  })

  test('files are compressed, and stay in the browser’s cache for a year', async () => {
    const entry = entryOf((await get('')).text)
    const plain = await get(entry, { 'accept-encoding': 'identity' })
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    for (const encoding of ['br', 'gzip']) {
      const packed = await get(entry, { 'accept-encoding': encoding })
      expect([packed.headers.get('content-encoding'), packed.text]).toEqual([encoding, plain.text])
    }
    const again = await get(entry, { 'if-none-match': plain.headers.get('etag') ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test.each(['/assets/missing.js', '/assets/..%2F..%2Fpackage.json', '/assets/%2e%2e/index.html'])(
    'GET /console%s reaches no file',
    async (path) => {
      const { text } = await get(path)
      expect(text).not.toContain('"name"')
      expect(text).toMatch(/There is no such file|<div id="root">/)
    },
  )

  test('the files of the sign-in page have at most 120 kB together, compressed with gzip', async () => {
    const built = readAssets(join(projectRoot, 'console/dist'))
    const { text } = await get('/sign-in')
    const names = [...text.matchAll(/\/console\/assets\/([\w-]+\.(?:js|css))/g)].map(([, name]) => name!)
    expect(names.length).toBeGreaterThan(1)
    const sizes = names.map((name) => {
      const gzip = built?.assets.get(name)?.gzip ?? Buffer.alloc(0)
      expect(gunzipSync(gzip).length).toBeGreaterThan(100)
      return gzip.length
    })
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(120_000)
  })

  test('only a frame of the console gets HTML back, with a policy that allows no script', async () => {
    const html = '<p>Ada & <script>alert(1)</script></p>'
    const send = (headers: Record<string, string>) =>
      app.stranger.send('POST', '/preview', {
        raw: new URLSearchParams({ html }).toString(),
        prefix: '/console',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      })
    const framed = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' }
    const answer = await send(framed)
    expect([answer.status, answer.text]).toEqual([200, html])
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^sandbox; default-src 'none'; img-src https: data:; style-src 'unsafe-inline';/)
    expect(policy).toContain("frame-ancestors 'self'")
    for (const headers of [
      { ...framed, 'sec-fetch-site': 'cross-site' },
      { ...framed, 'sec-fetch-dest': 'document' },
      {},
    ])
      expect(await send(headers)).toMatchObject({ status: 403, text: expect.not.stringContaining('Ada') })
  })

  test('a browser that opens the address of the server gets the console', async () => {
    const answer = await app.stranger.get('/', { prefix: '', headers: { accept: 'text/html' } })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/console'])
  })
})

test('with CONSOLE=0 the address of the console shows that it is off, and the API works', async () => {
  const app = await startTestApp({ servesConsole: false })
  try {
    const page = await app.stranger.get('/o/x', { prefix: '/console' })
    expect(page.status).toBe(503)
    expect(page.text).toContain('This server has no console')
    expect((await (await app.newOrg()).get('/organization')).status).toBe(200)
  } finally {
    await app.close()
  }
})

test('a folder without a build has no assets', () => {
  expect(readAssets(mkdtempSync(join(tmpdir(), 'crosswalk-console-')))).toBeNull()
})
