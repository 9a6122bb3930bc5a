import { expect, test } from 'vitest'
import { isReferrerSpam } from './referrer-spam.ts'

test.each([
  ['semalt.com', true],
  ['site7.semalt.com', true],
  ['notsemalt.com', false],
  ['semalt.com.example.org', false],
  ['com', false],
  ['www.example.org', false],
  ['', false],
])('referrer spam: %s is %j', (host, expected) => {
  expect(isReferrerSpam(host)).toBe(expected)
})
