import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../test/support/any-text.ts'
import { anyUrl } from '../../test/support/any-url.ts'
import { runs } from '../../test/support/runs.ts'
import { readDomain } from './domain.ts'

test.each([
  ['acme.com', 'acme.com'],
  ['https://www.Acme.com/x', 'acme.com'],
  ['WWW.ACME.COM.', 'acme.com'],
  ['http://user:secret@acme.com:8080/?a@b#c', 'acme.com'],
  ['//acme.com', 'acme.com'],
  ['info@acme.com', 'acme.com'],
  ['mailto:info@acme.com', 'acme.com'],
  ['shop.acme.co.uk', 'shop.acme.co.uk'],
  ['www.com', 'www.com'],
  [' Müller.example ', 'xn--mller-kva.example'],
  ['https://例え.jp/パス', 'xn--r8jz45g.jp'],
  ['日本。jp。', 'xn--wgv71a.jp'],
])('%j has the domain %j', (value, domain) => {
  expect(readDomain(value)).toEqual({ domain })
})

test.each([
  '',
  'localhost',
  'acme',
  '1.2.3.4',
  '[::1]',
  'a b.com',
  'a_b.com',
  '-a.com',
  'a..com',
  'https://',
  'http:/x.com',
])('the text %j is rejected as a domain', (value) => {
  expect(readDomain(value)).toEqual({ problem: expect.stringContaining('such as acme.com') })
})

test('reading a domain again returns the same domain', () => {
  fc.assert(
    fc.property(fc.oneof(anyUrl(), fc.domain(), anyText()), (value) => {
      const read = readDomain(value)
      if ('domain' in read) expect(readDomain(read.domain)).toEqual(read)
    }),
    { numRuns: runs(100, 2_000) },
  )
})
