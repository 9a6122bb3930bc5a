import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paramsIn, pathnameOf } from '../../console/src/routing/paths.ts'
import { readSearch, searchText } from '../../console/src/routing/search-text.ts'

test.each([
  ['?q=ada', { q: 'ada' }],
  ['?q=ada+lovelace', { q: 'ada lovelace' }],
  ['?rows=12&archived=true', { rows: 12, archived: true }],
  // No digit gets lost.
  [
    '?q=007&number=12.50&long=12345678901234567890',
    { q: '007', number: '12.50', long: '12345678901234567890' },
  ],
  ['?q=%2212%22', { q: '12' }],
  [`?filter=${encodeURIComponent('{"and":[]}')}`, { filter: { and: [] } }],
  ['?filter=%7Bbroken', { filter: '{broken' }],
  ['?q=', { q: '' }],
  ['', {}],
])('the values of the address %s are read', (text, values) => {
  expect(readSearch(text)).toEqual(values)
})

test('values that are written into an address are read as they were', () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.string()),
    fc.stringMatching(/^[\d.e"-]+$/),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]+$/), value), (values) => {
      expect({ ...readSearch(searchText(values)) }).toEqual({ ...values })
    }),
  )
  expect(searchText({ q: undefined })).toBe('')
})

test.each([
  ['/o/$orgId/people', '/o/1/people', { orgId: '1' }],
  ['/o/$orgId/people/$recordId', '/o/1/people/a%2Fb', { orgId: '1', recordId: 'a/b' }],
  ['/o/$orgId/people', '/o/1/people/2', null],
  ['/o/$orgId', '/o/', null],
  ['/', '/', {}],
  ['/sign-in', '/sign-in', {}],
  ['/o/$orgId', '/o/%E0%A4%A', { orgId: '%E0%A4%A' }],
])('%s has the parameters of %s', (path, pathname, params) => {
  expect(paramsIn(path, pathname)).toEqual(params)
})

test('a parameter with any characters is written into one part of the address', () => {
  const pathname = pathnameOf('/o/$orgId/visitors/$visitorId', { orgId: '1', visitorId: 'a/b?c#d' })
  expect(pathname).toBe('/o/1/visitors/a%2Fb%3Fc%23d')
  expect(paramsIn('/o/$orgId/visitors/$visitorId', pathname)).toEqual({ orgId: '1', visitorId: 'a/b?c#d' })
})
