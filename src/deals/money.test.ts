import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJsonBody } from '../platform/http/json-body.ts'
import { ValidationError, validator } from '../platform/http/validation.ts'
import { deals } from './deals.ts'

const read = validator([{ in: 'body', schema: deals.changes }])

/** Returns the amount, or the type of the error if it is refused. */
function amountOf(literal: string): unknown {
  try {
    return read({ body: parseJsonBody(Buffer.from(`{"amount_cents": ${literal}}`)) }).body.amount_cents
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const [{ type, loc }] = error.details as [ValidationError['details'][number]]
    expect(loc).toEqual(['body', 'amount_cents'])
    return type
  }
}

const max = 2n ** 53n - 1n

describe('an amount in JSON', () => {
  test.each<[string, unknown]>([
    ['0', 0],
    ['-0', 0],
    ['2147483648', 2_147_483_648],
    ['9007199254740991', Number(max)],
    ['9007199254740991.0', Number(max)],
    ['1e3', 1000],
    ['1.5e1', 15],
    ['" 12 "', 12],
    ['null', null],
    ['9007199254740992', 'less_than_equal'],
    ['9007199254740993', 'less_than_equal'],
    ['"9007199254740993"', 'less_than_equal'],
    ['1e300', 'less_than_equal'],
    ['1e400', 'finite_number'],
    ['-1e400', 'finite_number'],
    ['-1', 'greater_than_equal'],
    ['-9007199254740993', 'greater_than_equal'],
    ['1.5', 'int_from_float'],
    ['0.1', 'int_from_float'],
    ['1e-400', 'int_from_float'],
    ['4503599627370496.3', 'int_from_float'],
    ['1.00000000000000000001', 'int_from_float'],
    [`1.${'0'.repeat(2000)}1`, 'int_from_float'],
    ['"1.5"', 'int_parsing'],
    ['"ten"', 'int_parsing'],
    ['[]', 'int_type'],
    ['{}', 'int_type'],
  ])('the amount %s is read as %s', (literal, expected) => {
    expect(amountOf(literal)).toBe(expected)
  })

  test('an amount in JSON is either stored exactly or refused, and never rounded', () => {
    const digits = fc.stringMatching(/^[0-9]{0,20}$/)
    const literal = fc
      .tuple(
        fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }),
        fc.option(digits),
        fc.option(fc.integer({ min: -20, max: 20 })),
      )
      .map(([whole, fraction, power]) => ({
        text: `${whole}${fraction ? `.${fraction}` : ''}${power === null ? '' : `e${power}`}`,
        whole,
        fraction: fraction ?? '',
        power: power ?? 0,
      }))
    fc.assert(
      fc.property(literal, ({ text, whole, fraction, power }) => {
        // The value of a number, exactly, multiplied by 10^40.
        const sign = text.startsWith('-') ? -1n : 1n
        const magnitude = BigInt(`${sign * whole}${fraction}`)
        const scaled = sign * magnitude * 10n ** BigInt(40 - fraction.length + power)
        const isInteger = scaled % 10n ** 40n === 0n
        const value = scaled / 10n ** 40n
        const expected = isInteger && value >= 0n && value <= max ? Number(value) : expect.any(String)
        expect(amountOf(text)).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a currency', () => {
  const currencyOf = (currency: unknown) => {
    try {
      return read({ body: { currency } }).body.currency
    } catch (error) {
      return (error as ValidationError).details[0]?.type
    }
  }

  test.each<[unknown, unknown]>([
    ['USD', 'USD'],
    ['usd', 'USD'],
    [' eur ', 'EUR'],
    [null, null],
    ['XTS', 'value_error'],
    ['DEM', 'value_error'],
    ['US', 'value_error'],
    ['ＵＳＤ', 'value_error'],
    ['', 'value_error'],
    [840, 'string_type'],
  ])('the currency %j is read as %j', (value, expected) => {
    expect(currencyOf(value)).toBe(expected)
  })
})
