import { describe, expect, test } from 'vitest'
import { OperatorError } from '../report.ts'
import { migrationFiles, missingMigrations } from './migration-files.ts'

test('migrations are numbered from 0001 without gaps', () => {
  const names = migrationFiles()
  const numbers = names.map((name) => Number(/^(\d{4})_[a-z_]+\.sql$/.exec(name)?.[1]))
  expect(numbers).toEqual(names.map((_, index) => index + 1))
})

describe('a database', () => {
  const all = missingMigrations([])
  const later = { name: '9999_later.sql', sha256: 'x' }

  test.each([
    ['is empty', [], all],
    ['has the first migrations, in any order', [all[1]!, all[0]!], all.slice(2)],
    ['has all migrations', all, []],
    ['has all migrations and one migration of a later version', [later, ...all], []],
  ])('the missing migrations of a database that %s are found', (_what, recorded, missing) => {
    expect(missingMigrations(recorded)).toEqual(missing)
  })

  test.each([
    ['has the first migration of an unreleased version', [{ name: '0001_foundation.sql', sha256: 'x' }]],
    ['lacks a migration before one that ran', [all[0]!, all[2]!]],
    ['has a later migration only', [later]],
    ['ran a migration that was edited since', [{ ...all[0]!, sha256: 'x' }]],
  ])('a database that %s is refused', (_what, recorded) => {
    expect(() => missingMigrations(recorded)).toThrow(OperatorError)
  })
})
