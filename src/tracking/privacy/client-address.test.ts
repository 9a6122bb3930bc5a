import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAddress, withoutAddresses } from './client-address.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:DB8::1', '2001:db8::1'],
  ['127.0.0.1', null],
  ['::1', null],
  ['localhost', null],
  [7, null],
])('the client address of %j is %j', (value, expected) => {
  expect(readAddress(value)).toBe(expected)
})

test('a client address never remains in JSON, and the JSON stays valid', () => {
  const address = fc
    .oneof(fc.ipV4(), fc.ipV6())
    .map(readAddress)
    .filter((each) => each !== null)
  const around = fc.oneof(fc.string(), fc.constantFrom('', '1', '.1', ':', 'a'))
  fc.assert(
    fc.property(address, around, around, fc.object(), (each, before, after, other) => {
      const said = { other, [`${before}${each}${after}`]: [`${before}${each}${each}${after}`, 1.2] }
      const cut = withoutAddresses(JSON.stringify(said), [each])
      expect(cut).not.toContain(each)
      expect(() => JSON.parse(cut)).not.toThrow()
    }),
  )
})
