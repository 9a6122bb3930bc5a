import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyUrl } from '../../../test/support/any-url.ts'
import { withoutClickIds } from './click-ids.ts'

test.each<[string, unknown, unknown]>([
  ['a member', { gclid: 'x', plan: 'pro' }, { plan: 'pro' }],
  ['a member in another case', { GCLID: 'x', ScCid: 'x' }, {}],
  ["the members of Crosswalk's own script", { click_ids: { gclid: 'x' }, locale: 'en' }, { locale: 'en' }],
  ['a member deep inside', { a: [{ b: { fbclid: 'x', c: 1 } }] }, { a: [{ b: { c: 1 } }] }],
  ['a query', { search: '?gclid=x&utm_source=a' }, { search: '?utm_source=a' }],
  ['a query without a question mark', { search: 'fbclid=x' }, { search: '' }],
  [
    'an address',
    { url: 'https://x.example/a?b=1&gclid=x&c=2#msclkid=y' },
    { url: 'https://x.example/a?b=1&c=2#' },
  ],
  [
    'an address in an address',
    { url: 'https://x.example/go?to=https%3A%2F%2Fy.example%2F%3Fgclid%3Dx%26a%3D1' },
    { url: 'https://x.example/go?to=https%3A%2F%2Fy.example%2F%3Fa%3D1' },
  ],
  ['no click id', { url: 'https://x.example/?mygclid=x', n: 1, none: null }, null],
])('click ids are removed from JSON: %s', (_what, said, expected) => {
  expect(withoutClickIds(said as object as Record<string, unknown>)).toEqual(expected ?? said)
})

test('no click id remains in any field or query', () => {
  const name = fc.constantFrom('gclid', 'GBRAID', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'dclid')
  const secret = 'click-7f3a'
  const planted = fc.oneof(
    name.map((each) => ({ [each]: secret })),
    fc.tuple(anyUrl(), name).map(([url, each]) => ({ url: `${url}?a=1&${each}=${secret}` })),
    fc.tuple(anyUrl(), name).map(([url, each]) => {
      const inner = encodeURIComponent(`${url}?${each}=${secret}&b=2`)
      return { search: `?next=${inner}` }
    }),
  )
  const tree = fc.letrec<{ tree: unknown }>((each) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      planted,
      fc.array(each('tree'), { maxLength: 3 }),
      fc.dictionary(fc.string(), each('tree'), { maxKeys: 3 }),
    ),
  })).tree
  fc.assert(
    fc.property(tree, (value) => {
      expect(JSON.stringify(withoutClickIds({ value }))).not.toContain(secret)
    }),
  )
})
