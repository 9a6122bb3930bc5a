import { expect, test } from 'vitest'
import { networkOf } from './client-network.ts'

test.each<[string | undefined, string]>([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:61234', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::1', '0:0:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['[2001:db8::6]:443', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['1:2:3::', '1:2:3:0'],
  ['unknown', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
  ['192.0.2.999', 'unknown'],
  ['x'.repeat(10_000), 'unknown'],
])('the address %j counts against the budget of %j', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})
