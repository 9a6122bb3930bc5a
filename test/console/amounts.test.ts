import { describe, expect, test } from 'vitest'
import { decimalOf, minorOf, money, numberOf, twoMeanings, wholeOf } from '../../console/src/parts/numbers.ts'

describe('an amount that a person typed', () => {
  test.each([
    ['99', 9900],
    ['99.5', 9950],
    ['5,000', 500_000],
    ['1,234,567.89', 123_456_789],
    ['12,34,567', 123_456_700],
    [' 48 600 ', 4_860_000],
    ['5.', 500],
  ])('%j is %s cents', (typed, minor) => expect(minorOf(typed, 'EUR')).toBe(minor))

  test.each([
    '99,50',
    '1.000,00',
    '1,5',
    ',5',
    '5,',
    '1,,000',
    '10,00,00',
    '1,000.555',
    '5000,000',
    'x',
    '-5',
    '1e3',
  ])('%j is not an amount', (typed) => expect(minorOf(typed, 'EUR')).toBeNull())

  test('has the decimals of its currency', () => {
    expect(minorOf('5,000', 'JPY')).toBe(5000)
    expect(minorOf('5,000.5', 'JPY')).toBeNull()
    expect(minorOf('1.234', 'KWD')).toBe(1234)
  })

  // Browsers differ: some show no decimals for currencies whose coins are out of use.
  test.each([
    ['HUF', 2],
    ['COP', 2],
    ['IDR', 2],
    ['RSD', 2],
    ['IQD', 3],
    ['BHD', 3],
    ['ISK', 0],
    ['XOF', 0],
  ])('%s has the %s decimals of ISO 4217 in each browser', (currency, digits) => {
    const one = 10 ** digits
    expect(minorOf('1,250', currency)).toBe(1250 * one)
    expect(decimalOf(1250 * one, currency)).toBe(digits ? `1250.${'0'.repeat(digits)}` : '1250')
    expect(money(1250 * one, currency)).toMatch(/1,250$/)
    expect(money(1250 * one + 1, currency)).toMatch(digits ? /1,250\.0+1$/ : /1,251$/)
  })
})

describe('a number that a person typed', () => {
  test.each([
    ['1,000', 1000],
    ['1000', 1000],
    ['-1,000.25', -1000.25],
    ['0.5', 0.5],
    ['1e3', 1000],
  ])('%j is %s', (typed, number) => expect(numberOf(typed)).toBe(number))

  test.each(['0,5', '1.000,00', '1,00', 'x', '', 'Infinity'])('%j is not a number', (typed) =>
    expect(numberOf(typed)).toBeNull(),
  )
})

describe('a whole number that a person typed', () => {
  test.each([
    ['1.000', 1000],
    ['12.345.678', 12_345_678],
    ['1,000', 1000],
    ['250', 250],
    ['1.5', 1.5],
  ])('%j is %s', (typed, number) => expect(wholeOf(typed)).toBe(number))

  test.each(['1.000,00', '0,5', 'x'])('%j is not a number', (typed) => expect(wholeOf(typed)).toBeNull())
})

describe('a number that a person typed with one dot before three digits', () => {
  test.each([
    ['1.000', 'Write 1000 or 1.0000.'],
    [' -12.345 ', 'Write -12345 or -12.3450.'],
  ])('%j can mean two numbers', (typed, advice) => expect(twoMeanings(typed)).toContain(advice))

  test.each(['1000', '1.0', '1.0000', '0.125', '1234.567', '1,000', '1.000.000', '12 345', 'x'])(
    '%j cannot mean two numbers',
    (typed) => expect(twoMeanings(typed)).toBeNull(),
  )
})
