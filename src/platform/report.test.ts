import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { DatabaseUnavailable, isUnavailable, toUnavailable } from './db/errors.ts'
import { errorText, namingSetting } from './report.ts'

const missing = '/tmp/crosswalk-that-does-not-exist'

test('a missing file is not reported as a missing database', async () => {
  const error = await readFile(missing).catch((error: unknown) => error)
  expect(errorText(error)).toContain(`no such file or directory, open '${missing}'`)
  expect(errorText(error)).not.toContain('database')
})

test('a missing database is reported with what to do, and without a stack', () => {
  const error = Object.assign(new Error('database "nope" does not exist'), { code: '3D000' })
  expect(errorText(error)).toBe(
    'database "nope" does not exist: create it, or name another database in DATABASE_URL.',
  )
})

test('a full disk of PostgreSQL is reported with what to do, also as the cause of another error', () => {
  const full = Object.assign(new Error('could not extend file "base/1/2": No space left on device'), {
    code: '53100',
  })
  for (const error of [full, new DatabaseUnavailable('The database cannot serve now', { cause: full })])
    expect(errorText(error)).toBe(
      'The disk of PostgreSQL is full (could not extend file "base/1/2": No space left on device): free some space.',
    )
})

test('a lock of another process is not reported as a database that cannot be reached', () => {
  const locked = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  for (const error of [locked, new DatabaseUnavailable('The database cannot serve now', { cause: locked })])
    expect(errorText(error)).toBe(
      'Another process locks the database, such as a server that migrates it (canceling statement due to lock timeout): try again.',
    )
})

test('missing rights, as of a wrong role or after an incomplete restore, are reported with what to do, and without a stack', () => {
  const denied = Object.assign(new Error('permission denied for table org'), { code: '42501' })
  expect(errorText(denied)).toBe(
    'The role of DATABASE_URL lacks rights (permission denied for table org). It must be the role that owns the database. ' +
      'If it is, and the database was restored, the restore stopped early: restore the backup again, into a new database.',
  )
  const failed = new Error('Migration 0001.sql failed: permission denied', { cause: denied })
  expect(errorText(failed)).toMatch('Migration 0001.sql failed')
})

test('a connection to DIRECT_DATABASE_URL that fails names this setting', async () => {
  for (const code of ['ECONNREFUSED', '28P01', '3D000']) {
    const failed = Promise.reject(Object.assign(new Error('no'), { code }))
    const error = await namingSetting('DIRECT_DATABASE_URL', failed).catch((reason: unknown) => reason)
    expect(errorText(error)).toMatch(/(?<!_)DIRECT_DATABASE_URL/)
  }
})

test.each([
  ['offers no TLS', '', 'The server does not support SSL connections', 'turn on `ssl` in PostgreSQL'],
  ['has a certificate of an unknown authority', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'no', 'sslrootcert'],
  ['has a certificate for another name', 'ERR_TLS_CERT_ALTNAME_INVALID', 'no', 'for this host name'],
  ['has an expired certificate', 'CERT_HAS_EXPIRED', 'certificate has expired', 'certificate has expired'],
])(
  'a PostgreSQL that %s is reported with what to do, and requests get 503',
  (_what, code, message, advice) => {
    const refused = Object.assign(new Error(message), code === '' ? {} : { code })
    expect(isUnavailable(toUnavailable(refused))).toBe(true)
    for (const error of [refused, toUnavailable(refused)]) {
      expect(errorText(error)).toContain(`(${message})`)
      expect(errorText(error)).toContain(advice)
    }
  },
)

test('a missing Unix socket is reported as a database that cannot be reached', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  connect(missing).on('error', resolve)
  expect(errorText(await promise)).toContain('The database cannot be reached')
})
