import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'
import { readRedisAddress, redisAddressFault, shownRedisAddress } from './redis-address.ts'

describe('a Redis address', () => {
  test.each<[string, object]>([
    ['redis://localhost', { host: 'localhost', port: 6379, db: 0 }],
    ['redis://10.0.0.7:6380/', { host: '10.0.0.7', port: 6380, db: 0 }],
    ['redis://[::1]:6380/15', { host: '::1', port: 6380, db: 15 }],
    ['redis://:p%40ss%2Fw%25rd%3A@cache', { host: 'cache', port: 6379, db: 0, password: 'p@ss/w%rd:' }],
    ['redis://ada:secret@cache/2', { host: 'cache', port: 6379, db: 2, username: 'ada', password: 'secret' }],
    ['rediss://cache:6380', { host: 'cache', port: 6380, db: 0, tls: { servername: 'cache' } }],
    ['rediss://10.0.0.7', { host: '10.0.0.7', port: 6379, db: 0, tls: {} }],
  ])('the Redis address %s is read into its parts', (address, read) => {
    expect(redisAddressFault(address)).toBeNull()
    expect(readRedisAddress(address)).toEqual(read)
  })

  test.each<[string, RegExp]>([
    ['localhost:6379', /^must start with redis:\/\/ or rediss:\/\/$/],
    ['http://localhost', /^must start with/],
    ['redis://', /^names no host/],
    ['redis://:6379', /^(names no host|cannot be read)/],
    ['redis://:secret/word@cache', /^cannot be read: in a password or name write/],
    ['redis://:secret%word@cache', /^cannot be read/],
    ['redis://cache:port', /^cannot be read/],
    ['redis://cache/zero', /^may have the number of a database/],
    ['redis://cache/0/1', /^may have the number/],
    ['redis://cache?db=1', /^may have the number/],
    ['redis://:secret#word@cache', /^(may have|cannot be read)/],
  ])('the Redis address %s is refused with an error that hides its password', (address, says) => {
    expect(redisAddressFault(address)).toMatch(says)
    expect(() => readConfig({ REDIS_URL: address })).toThrow(ConfigError)
    expect(() => readConfig({ REDIS_URL: address })).toThrow(/ {2}- REDIS_URL /)
    expect(() => readConfig({ REDIS_URL: address })).not.toThrow(/secret/)
  })

  test('a Redis address is shown without its password', () => {
    expect(shownRedisAddress('rediss://ada:secret@cache:6380/2')).toBe('rediss://ada@cache:6380/2')
    expect(shownRedisAddress('redis://:secret@[::1]')).toBe('redis://[::1]')
  })
})

test('without REDIS_URL there is no Redis address', () => {
  expect(readConfig({}).redisUrl).toBeNull()
  expect(readConfig({ REDIS_URL: '' }).redisUrl).toBeNull()
  expect(readConfig({ REDIS_URL: 'redis://cache' }).redisUrl).toBe('redis://cache')
})
