import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonWithoutAddresses, readClientAddress, withoutAddresses } from './client-address.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:DB8::1', '2001:db8::1'],
  ['127.0.0.1', null],
  ['::1', null],
  ['localhost', null],
  [7, null],
])('the client address of %j is %j', (value, expected) => {
  expect(readClientAddress(value)).toBe(expected)
})

test('a client address never remains in JSON, and the JSON stays valid', () => {
  const address = fc
    .oneof(fc.ipV4(), fc.ipV6())
    .map(readClientAddress)
    .filter((each) => each !== null)
  const around = fc.oneof(fc.string(), fc.constantFrom('', '1', '.1', ':', 'a', '\\', '\b::', '\f::1'))
  fc.assert(
    fc.property(address, around, around, fc.object(), (each, before, after, other) => {
      const said = { other, [`${before}${each}${after}`]: [`${before}${each}${each}${after}`, 1.2] }
      const cut = jsonWithoutAddresses(JSON.stringify(said), [each])
      expect(cut).not.toContain(each)
      expect(() => JSON.parse(cut)).not.toThrow()
    }),
  )
})

test('if removing an address joins its surroundings to a new address, the new one is removed too, in linear time', () => {
  expect(withoutAddresses('xA::a::::y', ['a::'])).toBe('x::y')
  expect(withoutAddresses('1.1.11.1.1.1.1', ['1.1.1.1', '2.2.2.2'])).toBe('')
  const cpu = process.threadCpuUsage()
  expect(withoutAddresses(`{"a":"${'1:'.repeat(10_000)}${':'.repeat(10_000)}"}`, ['1::'])).toBe('{"a":""}')
  // In quadratic time, this would take minutes.
  expect(process.threadCpuUsage(cpu).user / 1000).toBeLessThan(1_000)
})

test.each([
  ['b::', '\b::'],
  ['f::', '\f::'],
  ['1f::', '\u001f::'],
])('the letters of %s inside a JSON escape are not removed', (address, text) => {
  const json = JSON.stringify({ [text]: [text, `x${address}`] })
  const cut = text.replace(address, '')
  expect(JSON.parse(jsonWithoutAddresses(json, [address]))).toEqual({ [cut]: [cut, 'x'] })
})
