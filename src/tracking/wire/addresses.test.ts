import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyUrl } from '../../../test/support/any-url.ts'
import { runs } from '../../../test/support/runs.ts'
import { withoutSecretsOfAddresses } from './addresses.ts'

const cut = (value: unknown) => JSON.parse(withoutSecretsOfAddresses(JSON.stringify(value)))

test.each<[string, string]>([
  ['https://x.example/reset?token=secret', 'https://x.example/reset'],
  [
    'https://x.example/a?token=1&utm_source=mail&x=2&gclid=g1#top',
    'https://x.example/a?utm_source=mail&gclid=g1',
  ],
  ['https://x.example/cb#access_token=secret', 'https://x.example/cb'],
  ['https://ada:secret@x.example/a', 'https://x.example/a'],
  ['HTTPS://x.example?Token=1', 'HTTPS://x.example'],
  ['app://open?token=1', 'app://open'],
  [
    'see https://x.example/a?token=1 and https://y.example/b?c=2',
    'see https://x.example/a and https://y.example/b',
  ],
  ['/reset?token=secret', '/reset'],
  ['//x.example/a?token=1', '//x.example/a'],
  ['?token=secret&utm_campaign=May', '?utm_campaign=May'],
  ['?token=secret', ''],
  ['#token', ''],
  ['https://x.example/a?q="secret"', 'https://x.example/a'],
  ['https://x.example/a?utm_source=a"b&token=\\', 'https://x.example/a?utm_source=a"b'],
  ['Are you sure? Yes', 'Are you sure? Yes'],
  ['x?y=1', 'x?y=1'],
  ['https://x.example/a@b', 'https://x.example/a@b'],
])('secrets are removed from the addresses in %j: %j', (address, expected) => {
  expect(cut({ page: { url: address }, list: [address, [address]] })).toEqual({
    page: { url: expected },
    list: [expected, [expected]],
  })
})

test('for any JSON, the result has the same names and no secret of a query', () => {
  const query = fc.constantFrom(
    '?token=SECRET',
    '?utm_source=a&token=SECRET',
    '#SECRET',
    '?a="SECRET',
    '?\\SECRET',
  )
  const address = fc.tuple(anyUrl(), query).map(([url, end]) => url + end)
  fc.assert(
    fc.property(fc.jsonValue(), address, (value, url) => {
      const text = JSON.stringify({ value, url, list: [url], deep: { url: [{ url }] } })
      const result = withoutSecretsOfAddresses(text)
      expect(result).not.toContain('SECRET')
      expect(Object.keys(JSON.parse(result))).toEqual(['value', 'url', 'list', 'deep'])
    }),
    { numRuns: runs(150, 2_000) },
  )
})

test('texts without an address are unchanged, and a long text takes little time', () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !/[?#@]/.test(text)),
      (text) => {
        expect(cut({ text })).toEqual({ text })
      },
    ),
  )
  const cpu = process.threadCpuUsage()
  for (const text of [
    'a'.repeat(32_000),
    `${'a:'.repeat(16_000)}//`,
    '?'.repeat(32_000),
    `https://${'@'.repeat(31_000)}`,
    '://'.repeat(10_000),
    'a://@'.repeat(6_000),
  ])
    withoutSecretsOfAddresses(JSON.stringify({ text }))
  expect(process.threadCpuUsage(cpu).user / 1000).toBeLessThan(2_000)
})
