import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { ConfigError, linkOrigin, misspelledSettings, readConfig } from './config.ts'

describe('TRUST_PROXY', () => {
  test.each([
    [undefined, false],
    ['0', false],
    ['false', false],
    ['true', true],
    ['2', 2],
    ['10.0.0.7, 192.168.0.0/16,fd00::/8', '10.0.0.7, 192.168.0.0/16,fd00::/8'],
    ['loopback, uniquelocal', 'loopback, uniquelocal'],
  ])('TRUST_PROXY=%s gives %s', (value, trusted) => {
    expect(readConfig({ TRUST_PROXY: value }).trustProxy).toBe(trusted)
  })

  test.each(['yes', 'TRUE', 'proxy.internal', '10.0.0.1/33', '10.0.0.1,', '-1', ' '])(
    '%j is refused with the other invalid settings, before anything starts',
    (value) => {
      const read = () => readConfig({ TRUST_PROXY: value, PORT: 'no' })
      expect(read).toThrow(ConfigError)
      expect(read).toThrow(/ {2}- PORT must be .*\n {2}- TRUST_PROXY must be true, false, a number of hops/)
    },
  )
})

describe('API_PROCESSES', () => {
  test.each([
    [undefined, 1, false],
    ['', 1, false],
    ['3', 3, false],
    ['auto', availableParallelism(), true],
  ])('API_PROCESSES=%s gives %i processes', (value, count, isAuto) => {
    expect(readConfig({ API_PROCESSES: value }).apiProcesses).toEqual({ count, isAuto })
  })

  test.each(['0', '65', '1.5', 'all', '-2', 'Auto'])('API_PROCESSES=%s is refused', (value) => {
    expect(() => readConfig({ API_PROCESSES: value })).toThrow(
      '- API_PROCESSES must be auto, or a whole number from 1 to 64',
    )
  })
})

describe('misspelledSettings', () => {
  test('misspelledSettings names a variable that may be a misspelled setting', () => {
    const env = {
      ENCRYPTION_KEYFILE: 'x',
      REDIS_URI: 'x',
      database_url: 'x',
      METRIC_TOKEN: 'x',
      TRUST_PROXIES: 'x',
      DATABASE_URL: 'x',
    }
    expect(misspelledSettings(env)).toEqual([
      { name: 'ENCRYPTION_KEYFILE', nearest: 'ENCRYPTION_KEY_FILE' },
      { name: 'REDIS_URI', nearest: 'REDIS_URL' },
      { name: 'database_url', nearest: 'DATABASE_URL' },
      { name: 'METRIC_TOKEN', nearest: 'METRICS_TOKEN' },
      { name: 'TRUST_PROXIES', nearest: 'TRUST_PROXY' },
    ])
  })

  test('the check for misspelled settings ignores variables that environments usually have', () => {
    const usual = [
      'PATH',
      'HOME',
      'HOSTNAME',
      'USER',
      'SHELL',
      'TERM',
      'LANG',
      'PWD',
      'EDITOR',
      'LOGNAME',
      'NODE_ENV',
    ]
    const others = [
      'REDIS_PORT',
      'REDIS_HOST',
      'DATABASE_HOST',
      'DATA_ROOT',
      'PGHOST',
      'TWILIO_API_KEY',
      'HTTP_PROXY',
    ]
    const env = Object.fromEntries(
      [...usual, ...others, 'KUBERNETES_SERVICE_HOST'].map((name) => [name, 'x']),
    )
    expect(misspelledSettings(env)).toEqual([])
  })
})

describe('the settings for a connection pooler', () => {
  const key = { ENCRYPTION_KEY: 'ab'.repeat(32) }
  const url = 'postgres://me:x@pooler:6432/crosswalk'

  test.each([
    [
      { ...key, DATABASE_URL: url, POOLER: 'transaction' },
      'DIRECT_DATABASE_URL is required with POOLER=transaction',
    ],
    [{ DIRECT_DATABASE_URL: url }, 'DIRECT_DATABASE_URL needs DATABASE_URL'],
    [{ POOLER: 'statement' }, 'POOLER must be session or transaction'],
    [{ DIRECT_DATABASE_URL: 'http://db' }, 'DIRECT_DATABASE_URL must start with postgres://'],
  ])('%j is refused', (env, fault) => {
    expect(() => readConfig(env)).toThrow(fault)
  })

  test('without settings for a pooler, DATABASE_URL keeps sessions', () => {
    expect(readConfig({ ...key, DATABASE_URL: url })).toMatchObject({
      pooler: 'session',
      directDatabaseUrl: null,
    })
  })
})

test.each([
  [{}, 'http://127.0.0.1:4000'],
  [{ HOST: '0.0.0.0' }, 'http://127.0.0.1:4000'],
  [{ HOST: '::' }, 'http://127.0.0.1:4000'],
  [{ HOST: '::1' }, 'http://[::1]:4000'],
  [{ HOST: '[::1]' }, 'http://[::1]:4000'],
  [{ HOST: '192.0.2.7' }, 'http://192.0.2.7:4000'],
  [{ HOST: '::', PUBLIC_URL: 'https://crosswalk.example.com' }, 'https://crosswalk.example.com'],
])('with the settings %j, links begin with %s', (env, origin) => {
  expect(linkOrigin(readConfig({ PORT: '4000', ...env }))).toBe(origin)
})

test('PUBLIC_URL with a query is refused, because paths are added to it', () => {
  expect(() => readConfig({ PUBLIC_URL: 'https://crosswalk.example.com/?a=1' })).toThrow(
    '- PUBLIC_URL must not have a query',
  )
})
