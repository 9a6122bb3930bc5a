import { describe, expect, test } from 'vitest'
import { OperatorError } from '../report.ts'
import { migrationFiles, missingMigrations, runsOutsideTransaction } from './migration-files.ts'

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

test.each([
  ['create index concurrently if not exists by_city on contact (org_id, city);', 'by_city'],
  ['-- Why.\ncreate unique index concurrently if not exists by_city\n  on contact (city)\n', 'by_city'],
  ['drop index concurrently if exists by_city;', 'by_city'],
  // Each attempt must be able to run again.
  ['create index concurrently by_city on contact (org_id, city);', null],
  ['create index concurrently if not exists by_city on contact (city); select 1;', null],
  ['create index by_city on contact (org_id, city);', null],
  ['alter table contact add column city text;', null],
])('the migration %j runs outside a transaction for the index %s', (sql, index) => {
  expect(runsOutsideTransaction({ sql })).toBe(index)
})

// Migrations below this number are older than the rules.
const firstRuled = '0085'

const gone =
  /(?:alter table (?:if exists )?(?:only )?(?=[\w.]+[^;]*?\b(?:drop column|rename)\b)|drop table (?:if exists )?)([\w.]+\b)(?!\.?%)/g

/** The rules of CONTRIBUTING.md that a migration breaks. */
function brokenRules(sql: string): string[] {
  const text = sql.replaceAll(/--.*$/gm, '').toLowerCase()
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, table]) => table!)
  const newTables = [...sql.matchAll(/^-- (\w+) is new in \d+\.\d+/gm)].map(([, table]) => table!)
  const created = new Set([...all(/create table (?:if not exists )?([\w.]+)/g), ...newTables])
  const existing = (tables: string[]) => [...new Set(tables)].filter((table) => !created.has(table))
  const concurrent = runsOutsideTransaction({ sql }) !== null
  const indexed = concurrent ? [] : existing(all(/create (?:unique )?index\b[^;]*? on (?:only )?([\w.]+)/g))
  const altered = existing(all(/alter (?:table (?:if exists )?(?:only )?|policy \w+ on )([\w.]+)/g))
  // The body of a function does not run with the migration.
  const atOnce = text.replaceAll(/create (?:or replace )?function[^;]*?\$\$.*?\$\$/gs, '')
  const updated = [...atOnce.matchAll(/^\s*update ([\w.]+)/gm)].map(([, table]) => table!)
  return [
    ...indexed.map((table) => `creates an index on ${table} and blocks writes`),
    ...(altered.length > 1 ? [`alters several tables: ${altered.join(', ')}`] : []),
    ...existing(updated).map((table) => `updates all rows of ${table}`),
    // The old version runs beside the new one, so the previous minor version must not use what goes.
    ...(/^-- unused since \d+\.\d+/m.test(sql)
      ? []
      : existing(all(gone)).map((table) => `drops or renames a part of ${table}`)),
  ]
}

test('migrations keep the rules of CONTRIBUTING.md', () => {
  const ruled = missingMigrations([]).filter(({ name }) => name >= firstRuled)
  expect(ruled.map(({ name, sql }) => [name, brokenRules(sql)])).toEqual(ruled.map(({ name }) => [name, []]))
})

test.each([
  [
    'create table new (a int); create index on new (a); alter table new add b int; alter table old add b int;',
    [],
  ],
  ['create index by_a on old (a);', ['creates an index on old and blocks writes']],
  ['create index concurrently if not exists by_a on old (a);', []],
  ['alter table one add a int; alter table two add a int;', ['alters several tables: one, two']],
  ['alter policy org on one to a; alter policy org on two to a;', ['alters several tables: one, two']],
  ['update old set a = 1;', ['updates all rows of old']],
  ['create function f() returns void as $$\nupdate old set a = 1;\n$$ language sql;', []],
  ['create function f() returns void as $$ select $$;\nupdate old set a = 1;', ['updates all rows of old']],
  ['do $$\nupdate old set a = 1;\n$$;', ['updates all rows of old']],
  ['alter table old drop column a;', ['drops or renames a part of old']],
  ['alter table old add b int, drop column a;', ['drops or renames a part of old']],
  ['alter table old rename column a to b;', ['drops or renames a part of old']],
  ['drop table if exists old;', ['drops or renames a part of old']],
  ['-- unused since 0.2\nalter table old drop column a;', []],
  ['alter table old alter a drop not null; alter table old drop constraint c;', []],
])('the rules for migrations are checked: %s', (sql, broken) => {
  expect(brokenRules(sql)).toEqual(broken)
})
