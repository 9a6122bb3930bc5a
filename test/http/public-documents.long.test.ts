import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const get = (path: string, accepted: string, headers: Record<string, string> = {}) =>
  app.stranger.get(path, { prefix: '', headers: { 'accept-encoding': accepted, ...headers } })

describe.each(['/openapi.json', '/docs', '/guides', '/guides/sync', '/guides/sync.md', '/llms.txt'])(
  'the public document %s',
  (path) => {
    test.each([
      ['gzip, deflate, br', 'gzip'],
      ['br;q=1, gzip;q=0.5', 'gzip'],
      ['*', 'gzip'],
      ['', null],
      ['br', null],
      ['gzip;q=0', null],
      ['gzip; q=0.0, br', null],
    ])('with Accept-Encoding "%s", the content encoding is %s', async (accepted, expected) => {
      const answer = await get(path, accepted)
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, expected])
      expect(answer.headers.get('vary')).toBe('accept-encoding')
      expect(answer.text).toBe((await get(path, 'identity')).text)
    })

    test('both encodings have the same weak ETag, which gets a 304', async () => {
      const tags = await Promise.all(
        ['gzip', 'identity'].map(async (accepted) => (await get(path, accepted)).headers.get('etag')),
      )
      expect(tags[0]).toMatch(/^W\/"[\da-f]{32}"$/)
      expect(tags[1]).toBe(tags[0])
      const again = await get(path, 'gzip', { 'if-none-match': String(tags[0]) })
      expect([again.status, again.text]).toEqual([304, ''])
    })
  },
)

test('pictures are not compressed again', async () => {
  const { headers } = await get('/guides/signatures/photo.png', 'gzip')
  expect([headers.get('content-type'), headers.get('content-encoding')]).toEqual(['image/png', null])
})

test('a compressed document is less than a fifth as large', async () => {
  const { headers, text } = await get('/openapi.json', 'gzip')
  expect(Number(headers.get('content-length'))).toBeLessThan(text.length / 5)
})
