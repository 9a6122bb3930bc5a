import { expect, test } from 'vitest'
import { givenName, isNickname, shareRoot } from './nicknames.ts'

test.each([
  ['bob', 'robert'],
  ['bill', 'william'],
  ['alex', 'alexander'],
  ['alex', 'alexandra'],
  ['ted', 'theodore'],
  ['ben', 'benjamin'],
  ['liz', 'elizabeth'],
  ['dick', 'richard'],
  ['peggy', 'margaret'],
  ['jack', 'john'],
])('%s is a nickname of %s', (a, b) => {
  expect(isNickname(givenName(a)!, givenName(b)!)).toBe(true)
  expect(isNickname(givenName(b)!, givenName(a)!)).toBe(true)
})

test.each([
  ['bob', 'rob'],
  ['liz', 'beth'],
  ['bill', 'will'],
])('%s and %s are nicknames of one name', (a, b) => {
  expect(shareRoot(givenName(a)!, givenName(b)!)).toBe(true)
})

test.each([
  ['alexander', 'alexandra'],
  ['robert', 'william'],
  ['mark', 'mary'],
  ['aaron', 'erin'],
  ['andrew', 'andrea'],
])('no nickname links %s and %s', (a, b) => {
  expect(isNickname(givenName(a)!, givenName(b)!)).toBe(false)
  expect(shareRoot(givenName(a)!, givenName(b)!)).toBe(false)
})

test('a name that is in no list has no nicknames, and the header of the list is not a name', () => {
  for (const name of ['lindelani', 'name1', '']) expect(givenName(name)).toBeUndefined()
})
