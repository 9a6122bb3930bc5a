import { expect, test } from 'vitest'
import { readTime } from './time.ts'

test.each<[string, number | null]>([
  ['0', 0],
  ['1785628800', 1_785_628_800],
  ['2026-08-02', 1_785_628_800],
  ['2026-08-02T09:30:00Z', 1_785_663_000],
  ['2026-08-02 11:30+02:00', 1_785_663_000],
  ['2026-08-02T09:30:00.999Z', 1_785_663_000],
  ['2026-08-02T09:30', null],
  ['2026-13-02', null],
  ['2026-02-30', null],
  ['2026-04-31T10:00:00Z', null],
  ['2028-02-29', 1_835_395_200],
  ['02/08/2026', null],
  ['1969-12-31', null],
  ['-1', null],
  ['253402300800', null],
  ['', null],
])('the text %j is read as the time %j', (text, seconds) => {
  expect(readTime(text)).toBe(seconds)
})
