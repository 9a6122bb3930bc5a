import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuOf } from '../../../test/support/cpu.ts'
import {
  BadEncoding,
  bodyInput,
  depthMax,
  isJsonContentType,
  parseExactJson,
  parseJsonBody,
} from './json-body.ts'
import { type Detail, ValidationError } from './validation.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))

function detailsOf(text: string): readonly Detail[] {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof ValidationError) return error.details
    throw error
  }
  return []
}

const brief = (text: string) => detailsOf(text).map(({ type, loc }) => [type, ...loc.slice(1)])

describe('syntax', () => {
  test.each<[string, number, string]>([
    [' ', 1, 'Expecting value'],
    ['nope', 0, 'Expecting value'],
    ['{"a": NaN}', 6, 'Expecting value'],
    ['[-Infinity]', 1, 'Expecting value'],
    ['[1,]', 3, 'Expecting value'],
    ['[1 2]', 3, "Expecting ',' delimiter"],
    ['[01]', 2, "Expecting ',' delimiter"],
    ['[1.]', 2, "Expecting ',' delimiter"],
    ['{"a": 1,}', 8, 'Expecting property name enclosed in double quotes'],
    ['{', 1, 'Expecting property name enclosed in double quotes'],
    ['{"a" 1}', 5, "Expecting ':' delimiter"],
    ['{"a": 1]', 7, "Expecting ',' delimiter"],
    ['1 2', 2, 'Extra data'],
    ['{}}', 2, 'Extra data'],
    ['"abc', 0, 'Unterminated string starting at'],
    ['["a\\', 1, 'Unterminated string starting at'],
    ['"a\tb"', 2, 'Invalid control character at'],
    ['"a\\x"', 2, 'Invalid \\escape'],
    ['"\\u12g4"', 2, 'Invalid \\uXXXX escape'],
    ['["😀é",,]', 6, 'Expecting value'],
  ])('the invalid body %j gets the position and the text of its syntax error', (text, at, error) => {
    expect(detailsOf(text)).toEqual([
      { type: 'json_invalid', loc: ['body', at], msg: 'JSON decode error', ctx: { error } },
    ])
  })
})

describe('nesting', () => {
  const nest = (depth: number, inside = '1') => '['.repeat(depth) + inside + ']'.repeat(depth)

  test('nesting up to 100 levels is accepted', () => {
    expect(detailsOf(nest(depthMax))).toEqual([])
    expect(detailsOf(`[${nest(depthMax - 1, '12345678901234567890')}, "[[[${'['.repeat(200)}"]`)).toEqual([])
  })

  test.each([
    ['arrays', nest(depthMax + 1), 100],
    ['objects', '{"a":'.repeat(101), 500],
    ['without end', '['.repeat(1_000_000), 100],
    ['after a string', `["\\"]", ${nest(depthMax)}]`, 107],
  ])('nesting beyond 100 levels is refused: %s', (_, text, at) => {
    expect(detailsOf(text)).toEqual([
      {
        type: 'json_invalid',
        loc: ['body', at],
        msg: 'JSON decode error',
        ctx: { error: 'nested more than 100 levels deep' },
      },
    ])
  })

  test('nesting beyond 100 levels after a syntax error gets the syntax error', () => {
    expect(brief(`[1 ${nest(200)}]`)).toEqual([['json_invalid', 3]])
  })

  test('nesting of two million levels is refused within 1 s of CPU time', () => {
    const deep = Buffer.from('[{"a":'.repeat(1_000_000))
    const refuse = () => expect(() => parseJsonBody(deep)).toThrow(ValidationError)
    expect(cpuOf(refuse, 1_000_000)).toBeLessThan(1_000_000)
  })
})

describe('encoding', () => {
  test.each<[string, Buffer]>([
    ['UTF-16 with a byte order mark', Buffer.from('\ufeff{}', 'utf16le')],
    ['UTF-16 without a byte order mark', Buffer.from('{"a":1}', 'utf16le')],
    ['big-endian UTF-16', Buffer.from('{"a":1}', 'utf16le').swap16()],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeff{}')],
    ['Latin-1', Buffer.from('{"a":"é"}', 'latin1')],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ])('%s is refused', (_, bytes) => {
    expect(() => parseJsonBody(bytes)).toThrow(BadEncoding)
  })
})

describe('text', () => {
  test('text with NUL or lone surrogates is refused, and the error has its place', () => {
    expect(brief('{"a":"\\u0000","b":["ok","\\ud800"],"\\udfff":1,"c":"\\uD83D\\uDE00"}')).toEqual([
      ['string_unicode', 'a'],
      ['string_unicode', 'b', 1],
      ['string_unicode', '\ufffd'],
    ])
    expect(detailsOf('"\\u0000"')).toEqual([
      {
        type: 'string_unicode',
        loc: ['body'],
        msg: 'Input should be a valid string, unable to parse raw data as a unicode string',
      },
    ])
  })

  test('text with an escaped backslash before u0000, or with a surrogate pair, is accepted', () => {
    expect(parse('"\\\\u0000 \\\\ud800"')).toBe('\\u0000 \\ud800')
    expect(parse('"\\ud83d\\ude00"')).toBe('😀')
  })
})

describe('keys', () => {
  test('__proto__ is an ordinary key of a JSON body', () => {
    for (const more of ['1', '12345678901234567890']) {
      const value = parse(`{"__proto__":{"a":1},"b":${more}}`) as object
      expect(Object.keys(value)).toEqual(['__proto__', 'b'])
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    }
  })

  test('if a name in a JSON object is repeated, the last value is used', () => {
    expect(parse('{"a":"\\u0000","a":2}')).toEqual({ a: 2 })
  })
})

describe('numbers', () => {
  test.each(['1e999', '-1e999', '1'.repeat(400)])('numbers beyond a double are refused: %.20s', (number) => {
    expect(detailsOf(`{"a":[0,${number}]}`)).toEqual([
      { type: 'finite_number', loc: ['body', 'a', 1], msg: 'Input should be a finite number' },
    ])
  })

  test.each([
    '12345678901234567890',
    '-9007199254740993',
    '0.12345678901234567890',
    '3.141592653589793238462643',
    '1e-400',
    '1.00000000000000000001',
  ])('numbers that a double would round keep all digits: %s', (number) => {
    expect(JSON.stringify(parse(`{"a":[${number}]}`))).toBe(`{"a":[${number}]}`)
  })

  test.each([
    '0',
    '-0',
    '1.50',
    '1e3',
    '1E+2',
    '0.1',
    '1e300',
    '123456789012345680000',
    '9007199254740991',
    '5e-324',
  ])('numbers that a double stores exactly are doubles: %s', (number) => {
    expect(parse(`[${number}]`)).toEqual([Number(number)])
  })

  test('numbers with more digits than PostgreSQL can store are rounded', () => {
    expect(JSON.stringify(parse('[1e-99999]'))).toBe('[0]')
    expect(JSON.stringify(parse(`[0.${'3'.repeat(20_000)}]`))).toBe(JSON.stringify([1 / 3]))
  })

  test('numbers keep their value when they are parsed and serialized', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,40})(\.\d{1,40})?(e[+-]?\d{1,2})?$/)
    fc.assert(
      fc.property(digits, (number) => {
        const [value] = parse(`[${number}]`) as [unknown]
        if (typeof value !== 'number') expect(JSON.stringify(value)).toBe(number)
        else expect(sameDecimal(number, String(value))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('numbers keep all digits in JSON that the server itself wrote', () => {
    expect(JSON.stringify(parseExactJson('{"a":12345678901234567890}'))).toBe('{"a":12345678901234567890}')
  })
})

/** Compares two decimal literals with big integers. */
function sameDecimal(a: string, b: string): boolean {
  const scaled = (literal: string) => {
    const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e')
    const [whole = '', fraction = ''] = mantissa.split('.')
    return BigInt(whole.replace('-', '') + fraction) * 10n ** BigInt(400 + Number(exponent) - fraction.length)
  }
  return scaled(a) === scaled(b)
}

describe('content type', () => {
  test.each([
    undefined,
    '',
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"; x=y',
    'application/merge-patch+json',
    'application/vnd.api+json ; charset=utf8',
  ])('%s is JSON', (value) => {
    expect(isJsonContentType(value)).toBe(true)
  })

  test.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json; charset=utf-16',
    'multipart/form-data; boundary=x',
    '+json',
  ])('%s is not JSON', (value) => {
    expect(isJsonContentType(value)).toBe(false)
  })

  test('the content type determines whether a body is parsed', () => {
    expect(bodyInput(undefined, 'text/plain')).toBeUndefined()
    expect(bodyInput(Buffer.alloc(0), undefined)).toBeUndefined()
    expect(bodyInput(Buffer.from('{"a":1}'), undefined)).toEqual({ a: 1 })
    expect(typeof bodyInput(Buffer.from('{"a":1}'), 'text/plain')).toBe('string')
  })
})

test('any bytes are either parsed or refused with a 4xx', () => {
  const bytes = fc.oneof(
    fc.uint8Array().map((array) => Buffer.from(array)),
    fc.json().map((text) => Buffer.from(text)),
    fc.tuple(fc.json(), fc.nat(), fc.uint8Array({ maxLength: 3 })).map(([text, at, junk]) => {
      const whole = Buffer.from(text)
      const cut = at % (whole.length + 1)
      return Buffer.concat([whole.subarray(0, cut), junk, whole.subarray(cut + 1)])
    }),
  )
  fc.assert(
    fc.property(bytes, (body) => {
      try {
        parseJsonBody(body)
      } catch (error) {
        expect(error instanceof ValidationError || error instanceof BadEncoding).toBe(true)
      }
    }),
    { numRuns: 5000 },
  )
})
