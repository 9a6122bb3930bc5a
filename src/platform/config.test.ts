import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

describe('TRUST_PROXY', () => {
  test.each([
    [undefined, false],
    ['0', false],
    ['false', false],
    ['true', true],
    ['2', 2],
    ['10.0.0.7, 192.168.0.0/16,fd00::/8', '10.0.0.7, 192.168.0.0/16,fd00::/8'],
    ['loopback, uniquelocal', 'loopback, uniquelocal'],
  ])('%s', (value, trusted) => {
    expect(readConfig({ TRUST_PROXY: value }).trustProxy).toBe(trusted)
  })

  test.each(['yes', 'TRUE', 'proxy.internal', '10.0.0.1/33', '10.0.0.1,', '-1', ' '])(
    '%j is refused with the other settings, before anything is started',
    (value) => {
      const read = () => readConfig({ TRUST_PROXY: value, PORT: 'no' })
      expect(read).toThrow(ConfigError)
      expect(read).toThrow(/ {2}- PORT must be .*\n {2}- TRUST_PROXY must be true, false, a number of hops/)
    },
  )
})
