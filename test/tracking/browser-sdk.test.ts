import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserSdkFiles } from '../../scripts/generate-browser-sdk.ts'
import { version } from '../../sdk-browser/src/version.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const script = `sdk-browser/dist/${version}.js`
const module = `sdk-browser/dist/${version}.mjs`

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
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

test.each([script, module])('%s has at most 4,000 bytes with gzip', (path) => {
  const [plain, gzip, brotli] = [
    read(path),
    gzipSync(read(path), { level: 9 }),
    brotliCompressSync(read(path)),
  ]
  console.log(`${path}: ${plain.length} bytes, ${gzip.length} with gzip, ${brotli.length} with brotli`)
  expect(gzip.length).toBeLessThanOrEqual(4_000)
})

test('the script has no code that a Content-Security-Policy forbids, and no event that prevents caching', () => {
  for (const path of [script, module])
    expect(read(path)).not.toMatch(
      /\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write|\bunload\b/,
    )
})

test('the newest script may be cached for an hour, and a numbered version forever', async () => {
  for (const [name, path, cache] of [
    ['v1.js', script, 'public, max-age=3600'],
    ['v1.mjs', module, 'public, max-age=3600'],
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
  expect(hashes).toEqual({
    [`${version}.js`]: `sha384-${hash('sha384', read(script), 'base64')}`,
    [`${version}.mjs`]: `sha384-${hash('sha384', read(module), 'base64')}`,
  })
})
