import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEmail } from '../normalize/email.ts'
import { isPlainAddress, splitAddresses } from './addresses.ts'

test.each([
  ['ada@example.com', ['ada@example.com']],
  ['mailto:ada@example.com', ['ada@example.com']],
  ['MAILTO: ada@example.com?subject=Hi', ['ada@example.com']],
  ['Ada <ada@example.com>', ['ada@example.com']],
  ['<ada@example.com>', ['ada@example.com']],
  ['<mailto:ada@example.com>', ['ada@example.com']],
  ['"Lovelace, Ada" <ada@example.com>', ['ada@example.com']],
  ['Lovelace, Ada <ada@example.com>', ['ada@example.com']],
  ['Ada <ada@example.com>; Grace <grace@example.com>', ['ada@example.com', 'grace@example.com']],
  [
    'a@example.com; b@example.com,c@example.com d@example.com\ne@example.com|f@example.com',
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@example.com`),
  ],
  ['"much more"@example.com', ['"much more"@example.com']],
  ['n/a', ['n/a']],
  ['ask at reception', ['ask at reception']],
  ['ada@example.com, n/a', ['ada@example.com', 'n/a']],
  ['ada@example.com (private)', ['ada@example.com', '(private)']],
  ['ada@', ['ada@']],
  ['Ada <ada at example.com>', ['ada at example.com']],
  [' ; ', []],
] as const)('the cell %j contains the addresses %j', (cell, parts) => {
  expect(splitAddresses(cell)).toEqual(parts)
})

test('any text of a cell can be split, and a cell with a single address is never split', () => {
  const cells = fc.stringMatching(/^[a-z@<>",;:. ]{0,40}$/)
  fc.assert(
    fc.property(cells, (cell) => {
      for (const part of splitAddresses(cell)) expect(part.trim()).not.toBe('')
    }),
  )
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      expect(splitAddresses(address)).toEqual([address])
    }),
  )
})

test('each plain address can be read, and is not changed', () => {
  const texts = fc.oneof(
    fc.emailAddress(),
    fc.stringMatching(/^[aB0_+.@-]{1,64}$/),
    fc.stringMatching(/^[ab]{1,3}@[ab.-]{1,60}$/),
  )
  fc.assert(
    fc.property(texts, (text) => {
      if (isPlainAddress(text)) expect(readEmail(text)).toMatchObject({ email: text })
    }),
    { numRuns: 1_000 },
  )
})
