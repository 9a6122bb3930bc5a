import { expect, test } from 'vitest'
import { amount } from './amount.ts'

test.each([
  ['12345 EUR', '12345 EUR', 'exact'],
  ['12,345.00 EUR', '12345', 'exact'],
  ['12345 EUR', '12300 EUR', 'near'],
  ['12345 EUR', '12345 USD', 'different'],
  ['12345', '2000', 'different'],
  ['100EUR', '100USD', 'different'],
  ['EUR100', '100 EUR', 'exact'],
])('the amounts %s and %s: %s', (one, other, level) => {
  const [a, b] = [one, other].map((value) => amount.normalize(value, { defaultCountry: null }) ?? '')
  expect(amount.levels[amount.compare(a!, b!)]).toBe(level)
})
