import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserSdkFiles } from '../../scripts/generate-browser-sdk.ts'
import { version } from '../../sdk-browser/src/version.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { sharedTestApp, type TestApp } from '../support/app.ts'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const script = `sdk-browser/dist/${version}.js`
const module = `sdk-browser/dist/${version}.mjs`
const forms = `sdk-browser/dist/forms-${version}.js`

let app: TestApp
beforeAll(async () => {
  app = await sharedTestApp()
})
afterAll(() => app.close())

const get = (path: string, headers = {}) => fetch(`${app.address}/sdk/${path}`, { headers })

test('the committed files of the script match the output of `npm run generate`, and have its version', async () => {
  for (const [path, source] of Object.entries(await browserSdkFiles())) expect(read(path), path).toBe(source)
  const { version: named, exports, files } = JSON.parse(read('sdk-browser/package.json'))
  expect(named).toBe(version)
  expect(exports['.'].default).toBe(`./dist/${version}.mjs`)
  expect(files).toContain(`dist/${version}.mjs`)
})

test.each([
  [script, 4_000],
  [module, 4_000],
  [forms, 3_000],
])('%s has at most %d bytes with gzip', (path, max) => {
  const [plain, gzip, brotli] = [
    read(path),
    gzipSync(read(path), { level: 9 }),
    brotliCompressSync(read(path)),
  ]
  console.log(`${path}: ${plain.length} bytes, ${gzip.length} with gzip, ${brotli.length} with brotli`)
  expect(gzip.length).toBeLessThanOrEqual(max)
})

test('the script has no code that a Content-Security-Policy forbids, and no event that prevents caching', () => {
  for (const path of [script, module, forms])
    expect(read(path)).not.toMatch(
      /\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write|\bunload\b/,
    )
})

test('the newest script may be cached for an hour, and a numbered version forever', async () => {
  for (const [name, path, cache] of [
    ['v1.js', script, 'public, max-age=3600'],
    ['v1.mjs', module, 'public, max-age=3600'],
    ['forms-v1.js', forms, 'public, max-age=3600'],
    [`${version}.js`, script, 'public, max-age=31536000, immutable'],
    [`${version}.mjs`, module, 'public, max-age=31536000, immutable'],
  ] as const) {
    const answer = await get(name)
    expect(await answer.text()).toBe(read(path))
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': cache,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const again = await get(name, { 'if-none-match': answer.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  }
  expect((await get('v2.js')).status).toBe(404)
  expect((await get('..%2Fpackage.json')).status).toBe(404)
})

test('/sdk/integrity.json has the hash of each version', async () => {
  const hashes = await (await get('integrity.json')).json()
  const committed = readdirSync(join(projectRoot, 'sdk-browser/dist'))
  expect(committed).toEqual(
    expect.arrayContaining([`${version}.js`, `${version}.mjs`, `forms-${version}.js`]),
  )
  expect(hashes).toEqual(
    Object.fromEntries(
      committed.map((name) => [name, `sha384-${hash('sha384', read(`sdk-browser/dist/${name}`), 'base64')}`]),
    ),
  )
})
