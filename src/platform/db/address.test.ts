import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'
import { addressFault, connectionConfig } from './address.ts'

describe('a database address', () => {
  test.each([
    [
      'postgres://me:p%40ss%2Fw%25rd@db.example:6432/crosswalk',
      { user: 'me', password: 'p@ss/w%rd', host: 'db.example', port: 6432, database: 'crosswalk' },
    ],
    [
      'postgresql://me:p@ss@db.example/crosswalk',
      { user: 'me', password: 'p@ss', host: 'db.example', database: 'crosswalk' },
    ],
    ['postgres://me:50%@db.example/crosswalk', { password: '50%' }],
    ['postgres://me@[::1]:5433/crosswalk', { host: '::1', port: 5433 }],
    [
      'postgres://me:x@/crosswalk?host=/var/run/postgresql',
      { host: '/var/run/postgresql', database: 'crosswalk' },
    ],
    ['postgres:///crosswalk?host=/tmp&user=me', { host: '/tmp', user: 'me' }],
    ['postgres://me@db.example', { database: 'me' }],
    [
      'postgres://me:p%40ss@one:5433,two/crosswalk?sslmode=disable',
      {
        user: 'me',
        password: 'p@ss',
        host: 'one',
        port: 5433,
        database: 'crosswalk',
        hostCount: 2,
        ssl: false,
      },
    ],
    ['postgres://me@[::1]:5433,[::2]:5434,three/crosswalk', { host: '::1', port: 5433, hostCount: 3 }],
    ['postgres://one,two', { host: 'one', hostCount: 2 }],
    ['postgres://me@db.example/?sslmode=disable', { database: 'me', ssl: false }],
    ['postgres://me@db.example/x?sslmode=no-verify', { ssl: { rejectUnauthorized: false } }],
    ['postgres://me@db.example/x?options=-c%20jit%3Doff', { options: '-c jit=off' }],
  ])('the database address %s is read into its parts', (url, expected) => {
    expect(addressFault(url)).toBeNull()
    expect(connectionConfig(url)).toMatchObject(expected)
  })

  test.each([
    ['postgres://me:p@ss/word@db.example/crosswalk', 'write @ as %40, / as %2F'],
    ['postgres://me:se/cret@db.example/crosswalk', 'write @ as %40, / as %2F'],
    ['postgres://me:12/34@db.example/crosswalk', 'write @ as %40, / as %2F'],
    ['postgres://me:se#cret@db.example/crosswalk', 'write @ as %40, / as %2F'],
    ['postgres://me:se%E9cret@db.example/crosswalk', 'write @ as %40, / as %2F'],
    ['postgres://me:secret@/crosswalk?host=one,two', 'several hosts'],
    ['postgres://me:secret@one:x,two/crosswalk', 'cannot be read'],
    ['postgres://me:secret@one,/crosswalk', 'cannot be'],
    ['postgres://me:secret@db.example/crosswalk?sslrootcert=/no/such/file', 'ENOENT /no/such/file'],
    ['postgres://me:secret@db.example/crosswalk?uselibpqcompat=true&sslmode=verify-ca', 'sslrootcert'],
    ['mysql://me:secret@db.example/crosswalk', 'must start with postgres://'],
  ])('%s is refused with the other invalid settings, without its password', (url, says) => {
    const read = () => readConfig({ DATABASE_URL: url, ENCRYPTION_KEY: 'ab'.repeat(32), PORT: 'no' })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(`DATABASE_URL`)
    expect(read).toThrow(says)
    expect(read).toThrow('PORT must be')
    expect(read).not.toThrow(/se.?cret|12.34/)
  })
})
