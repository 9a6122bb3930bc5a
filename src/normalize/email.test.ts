import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../test/support/any-text.ts'
import { cpuOf } from '../../test/support/cpu.ts'
import { readEmail } from './email.ts'

const x63 = 'x'.repeat(63)

describe('an e-mail address', () => {
  test.each([
    [' Anna.Lee@Acme.Example ', 'anna.lee@acme.example'],
    ["o'brien+news@x.ie", "o'brien+news@x.ie"],
    ['Jörg@Müller.example', 'jörg@xn--mller-kva.example'],
    ['Jo\u0308rg@x.example', 'jörg@x.example'],
    ['あ@日本。example', 'あ@xn--wgv71a.example'],
    ['a@ＡＣＭＥ．example', 'a@acme.example'],
    ['a@xn--mller-kva.example', 'a@xn--mller-kva.example'],
    ['"John Doe"@x.example', '"john doe"@x.example'],
    ['"John"@x.example', 'john@x.example'],
    ['"a@b"@x.example', '"a@b"@x.example'],
    ['"a\\"\\b"@x.example', '"a\\"b"@x.example'],
    ['!#$%&*/=?^_`{|}~-@x.example', '!#$%&*/=?^_`{|}~-@x.example'],
    [`${x63}y@x.example`, `${x63}y@x.example`],
    [`a@${x63}.example`, `a@${x63}.example`],
    ['a@1.example', 'a@1.example'],
  ])('the e-mail address %j is compared as %j', (value, key) => {
    expect(readEmail(value)).toEqual({ email: value.trim(), key })
  })

  test.each([
    ['', 'An email address must have an @-sign.'],
    ['anna', 'An email address must have an @-sign.'],
    ['anna@', 'There must be something after the @-sign.'],
    ['@x.example', 'There must be something before the @-sign.'],
    ['""@x.example', 'There must be something before the @-sign.'],
    ['a@x', 'The part after the @-sign is not valid. It should have a period.'],
    ['a..b@x.example', 'An email address cannot have two periods in a row.'],
    ['a@x..example', 'An email address cannot have two periods in a row.'],
    ['.a@x.example', 'An email address cannot start with a period.'],
    ['a.@x.example', 'An email address cannot have a period immediately before the @-sign.'],
    ['a@.x.example', 'An email address cannot have a period immediately after the @-sign.'],
    ['a@x.example.', 'An email address cannot end with a period.'],
    ['a@x-.example', 'An email address cannot have a period and a hyphen next to each other.'],
    ['a@-x.example', 'An email address cannot have a hyphen immediately after the @-sign.'],
    ['a b@x.example', 'The email address contains invalid characters before the @-sign: SPACE.'],
    ['a@b@x.example', "The email address contains invalid characters before the @-sign: '@'."],
    ['a@ü-.example', 'An email address cannot have a period and a hyphen next to each other.'],
    ['a@x_y.example', "The part after the @-sign contains invalid characters: '_'."],
    ['a@[127.0.0.1]', "The part after the @-sign contains invalid characters: '[', ']'."],
    ['a@x.ex%61mple', "The part after the @-sign contains invalid characters: '%'."],
    ['a\0@x.example', 'The email address contains invalid characters before the @-sign: U+0000.'],
    ['a\u200b@x.example', 'The email address contains unsafe characters: U+200B.'],
    ['a@x\u200d.example', 'The email address contains unsafe characters: U+200D.'],
    ['\ud800@x.example', 'The email address contains unsafe characters: U+D800.'],
    ['a@1.2.3.4', 'The part after the @-sign is not valid. It is not within a valid top-level domain.'],
    [`${x63}yz@x.example`, 'The email address is too long before the @-sign (1 character too many).'],
    [
      `${'ü'.repeat(33)}@x.example`,
      'The email address is too long before the @-sign (2 characters too many).',
    ],
    [
      `a@${x63}y.example`,
      'After the @-sign, periods cannot be separated by so many characters (1 character too many).',
    ],
    [`abc@${`${x63}.`.repeat(3)}${'x'.repeat(61)}`, 'The email address is too long (3 characters too many).'],
    [
      'Ann <a@x.example>',
      'A display name and angle brackets around the email address are not permitted here.',
    ],
  ])('the e-mail address %j is rejected', (value, reason) => {
    expect(readEmail(value)).toEqual({ problem: `value is not a valid email address: ${reason}` })
  })
})

test('the compared form of an address stays the same if it is read again', () => {
  const local = anyText({ minLength: 1, maxLength: 12 })
  const label = fc.string({
    unit: fc.constantFrom('a', 'Z', '9', '-', 'ü', 'İ', 'ß', '日', '．', '。', 'K'),
    maxLength: 6,
  })
  const near = fc.tuple(local, fc.boolean(), label, label).map(([before, isQuoted, first, second]) => {
    return `${isQuoted ? `"${before}"` : before}@${first}.${second}`
  })
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), near, anyText()), (value) => {
      const read = readEmail(value)
      if ('problem' in read) return
      expect(read.email).toBe(value.trim())
      expect(readEmail(read.key)).toEqual({ email: read.key, key: read.key })
    }),
    { numRuns: 5000 },
  )
})

test('every address that fast-check generates is accepted', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (value) => {
      expect(readEmail(value)).toEqual({ email: value, key: value.toLowerCase() })
    }),
  )
})

test('a value of a million characters takes less than 1 s of CPU', () => {
  for (const value of ['a.'.repeat(500_000), `a@${'a-'.repeat(500_000)}`, `${'"'.repeat(500_000)}@x`]) {
    const refuse = () => expect(readEmail(value)).toHaveProperty('problem')
    expect(cpuOf(refuse, 1_000_000)).toBeLessThan(1_000_000)
  }
})
