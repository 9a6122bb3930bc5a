import { integer, pick, type Random } from '../../src/demo/random.ts'
import { Members, Raw } from './json-text.ts'
import { hostileTexts } from './texts.ts'

const deep = (open: string, close: string, levels: number, inner = '1') =>
  new Raw(open.repeat(levels) + inner + close.repeat(levels))

/** Extreme numbers in all forms of JSON, and texts that look like numbers. */
const numbers = [
  ...[
    '0',
    '-0',
    '-1',
    '1',
    '2',
    '1.5',
    '-0.0',
    '1e0',
    '1E+2',
    '1.0',
    '0.1',
    '1e-400',
    '1e308',
    '1e309',
    '-1e999',
  ],
  ...['2147483647', '2147483648', '-2147483648', '-2147483649', '4294967296', '9007199254740991'],
  ...[
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
  ],
  ...['-9223372036854775808', '-9223372036854775809', '18446744073709551616', '12345678901234567890'],
  ...['253402300799', '253402300800', '99999999999999999999', '4503599627370496.3', '0.30000000000000004'],
  ...[
    `1${'0'.repeat(400)}`,
    `0.${'0'.repeat(400)}1`,
    `${'9'.repeat(5000)}`,
    `1e${'9'.repeat(30)}`,
    '1e-999999',
  ],
].map((text) => new Raw(text))

const broken = [
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    '01',
    '+1',
    '.5',
    '5.',
    '0x10',
    "'x'",
    'tru',
    'nul',
    '{',
    ']',
  ],
  ...[
    '"',
    '"\\x"',
    '"\\u12"',
    '"a\nb"',
    '"a\tb"',
    '{"a":}',
    '{"a" 1}',
    '{a:1}',
    '[1,]',
    '{"a":1,}',
    '/* */1',
    '1 2',
  ],
].map((text) => new Raw(text))

/** JSON strings with characters that no text may have. */
const unclean = [
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"x\\udfff"', '"\\uD83D"'],
].map((text) => new Raw(text))

const containers = (): unknown[] => [
  [],
  {},
  [[]],
  [null],
  [{}],
  { a: 1 },
  ['a', 1, null],
  new Members([['__proto__', { x: 1 }]]),
  new Members([
    ['constructor', { prototype: { x: 1 } }],
    ['__proto__', 'x'],
  ]),
  new Members([['', '']]),
  new Members([['\u202e', 1]]),
  new Members([['a'.repeat(2000), 1]]),
  deep('[', ']', 50),
  deep('{"a":', '}', 50),
  deep('[', ']', 99),
  deep('[', ']', 101),
  deep('{"a":', '}', 2000),
  deep('[', '', 5000),
  Array.from({ length: 1001 }, () => 'x'),
  Array.from({ length: 101 }, (_, at) => at),
  Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`k${at}`, 'v'])),
]

/** Makes a text, which is sometimes very long. */
function longText(random: Random): string {
  const length = pick(random, [121, 201, 255, 256, 1001, 2049, 20_001, 100_001])
  return pick(random, ['a', 'ä', '💩', ' ', 'a ', '"', '\\', '%']).repeat(length).slice(0, length)
}

export function nastyText(random: Random): string {
  const kind = random()
  if (kind < 0.08) return longText(random)
  if (kind < 0.14) return pick(random, hostileTexts) + pick(random, hostileTexts)
  if (kind < 0.2)
    return Array.from({ length: integer(random, 1, 12) }, () =>
      String.fromCodePoint(pick(random, [integer(random, 1, 0x2ff), integer(random, 0xe000, 0x10ffff)])),
    ).join('')
  return pick(random, hostileTexts)
}

export function nastyJson(random: Random): unknown {
  const kind = random()
  if (kind < 0.08) return null
  if (kind < 0.14) return pick(random, [true, false])
  if (kind < 0.36) return pick(random, numbers)
  if (kind < 0.4) return pick(random, broken)
  if (kind < 0.46) return pick(random, unclean)
  if (kind < 0.62) return pick(random, containers())
  return nastyText(random)
}

/** An unexpected value of the same type: it passes more checks than a value of another type. */
export function nastyLike(random: Random, type: string): unknown {
  if (random() < 0.3) return nastyJson(random)
  if (type === 'string') return random() < 0.25 ? pick(random, unclean) : nastyText(random)
  if (type === 'number' || type === 'integer') return pick(random, numbers)
  return type === 'object' || type === 'array' ? pick(random, containers()) : nastyJson(random)
}

export const extraNames: readonly string[] = [
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'org_id',
    'id',
    'version',
    'mode',
    'status',
    'is_agency',
  ],
  ...[
    'created_at',
    'permissions',
    'extra',
    '',
    ' ',
    '$ref',
    '$where',
    'select',
    '0',
    '-1',
    'ünï',
    'a\u202eb',
    'x'.repeat(300),
  ],
]

/** A part of an address in a valid or invalid encoding. */
export function encoded(random: Random, text: string): string {
  const kind = random()
  const safe = encodeURIComponent(text.toWellFormed())
  if (kind < 0.8) return safe
  if (kind < 0.86)
    return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  return pick(random, [
    ...[
      '%',
      '%z',
      '%0',
      '%00',
      '%c0%af',
      '%c0%80',
      '%ed%a0%80',
      '%ff%fe',
      '%f4%90%80%80',
      '%e2%82',
      '%25%32%46',
      '%u0041',
    ],
    ...[`${safe}%00`, `${safe}%0d%0aX-Injected:%201`, `%EF%BB%BF${safe}`, `${safe}+%2B+`],
  ])
}
