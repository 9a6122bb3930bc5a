import { expect, test } from 'vitest'
import { sourceOf } from './source.ts'

const page = (url: string, more: object = {}) => ({ page: { url, ...more } })
const none = { referrerHost: null, ads: true }

test.each<[string, object, object, Parameters<typeof sourceOf>[2], object | null]>([
  ['an empty context', {}, {}, none, null],
  ['a page without a campaign', page('https://shop.example/a?token=1'), {}, none, null],
  [
    'a campaign in the context',
    { campaign: { source: 'mail', medium: 'email', name: 'May', term: 't', content: 'c', id: '7' } },
    {},
    none,
    { source: 'mail', medium: 'email', campaign: 'May', term: 't', content: 'c' },
  ],
  [
    'utm parameters in the URL of the page',
    page('https://shop.example/?utm_source=mail&utm_campaign=May%20sale#top'),
    {},
    none,
    { source: 'mail', campaign: 'May sale' },
  ],
  [
    'utm parameters in the search of the page',
    { page: { search: '?utm_medium=cpc' } },
    {},
    none,
    { medium: 'cpc' },
  ],
  [
    'utm parameters in the URL of the properties',
    {},
    { url: 'https://shop.example/?utm_source=x' },
    none,
    { source: 'x' },
  ],
  [
    'the campaign in the context before the URL',
    { campaign: { source: 'mail' }, ...page('https://shop.example/?utm_source=x') },
    {},
    none,
    { source: 'mail' },
  ],
  ['a click id in the URL', page('https://shop.example/?gclid=1'), {}, none, { ad_click: 'gclid' }],
  ['a click id in the context', { click_ids: { fbclid: '1' } }, {}, none, { ad_click: 'fbclid' }],
  ['a click id without consent', page('https://shop.example/?gclid=1'), {}, { ...none, ads: false }, null],
  [
    'a referrer on another site',
    page('https://shop.example/a'),
    {},
    { ...none, referrerHost: 'news.example' },
    { referrer_host: 'news.example' },
  ],
  [
    'a referrer on the same site',
    page('https://www.shop.example/a'),
    {},
    { ...none, referrerHost: 'shop.example' },
    null,
  ],
  [
    'values that are not text',
    { campaign: { source: 7, name: '' }, click_ids: [], page: null },
    {},
    none,
    null,
  ],
])('the source of a visit: %s', (_what, context, properties, options, expected) => {
  expect(sourceOf(context as never, properties as never, options)).toEqual(expected)
})

test('a long text is cut to 200 characters', () => {
  expect(sourceOf({ campaign: { source: 'x'.repeat(300) } }, {}, none)).toEqual({ source: 'x'.repeat(200) })
})
