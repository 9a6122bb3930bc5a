import { randomBytes, randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { Database } from '../../src/platform/db/database.ts'
import { newId } from '../../src/platform/db/new-id.ts'
import { createLog } from '../../src/platform/log.ts'
import { prepareDatabase } from '../../src/prepare-database.ts'
import { cloneDatabase, testKey } from '../support/database.ts'

// Tests row-level security with statements that have no condition at all.

const copy = await cloneDatabase(inject('databaseUrl'))
const owner = new Client({ connectionString: copy.url })
await owner.connect()
const database = new Database({ url: copy.url, rootKey: testKey, roles: 'login', log: createLog('silent') })
afterAll(async () => {
  await Promise.all([database.close(), owner.end()])
  await copy.drop()
})

const someValue: Record<string, () => unknown> = {
  // The partitions of events are months of their ids.
  uuid: () => newId(),
  text: () => randomUUID(),
  'text[]': () => [],
  'uuid[]': () => [],
  bytea: () => randomBytes(8),
  boolean: () => true,
  smallint: () => 1,
  integer: () => 1,
  bigint: () => 1,
  'bigint[]': () => [],
  numeric: () => 1,
  json: () => '{}',
  jsonb: () => '{}',
  tsvector: () => '',
  date: () => new Date(),
  'date[]': () => [],
  'timestamp with time zone': () => new Date(),
}

const [orgA, orgB] = [randomUUID(), randomUUID()]
const tables = await protectedTables()
await dropConstraints()
for (const table of tables) for (const orgId of [orgA, orgB]) await insert(owner, table, orgId)

describe.each(tables.map((table) => [table.name, table] as const))(
  'row-level security protects the table %s',
  (_name, table) => {
    const { name, orgColumn } = table

    test('a table shows only rows of the bound org, and no rows without a bound org', async () => {
      const seen = async (orgId: string) =>
        database
          .org(orgId)
          .readRows<Record<string, string>>({ text: `select ${orgColumn} from "${name}"`, values: [] })
      const own = await rowsOf(table, orgA)
      expect(own.length).toBeGreaterThan(0)
      expect((await seen(orgA)).map((row) => row[orgColumn])).toEqual(own.map(() => orgA))
      expect(await seen('')).toEqual([])
    })

    test.each([
      ['update', `update "${name}" set ${orgColumn} = ${orgColumn}`],
      ['delete', `delete from "${name}"`],
    ])('%s without a condition touches no row of another org', async (_verb, sql) => {
      const before = await rowsOf(table, orgB)
      const own = await rowsOf(table, orgA)
      expect(before.length).toBeGreaterThan(0)
      // 42501: the role may not change rows of this table.
      expect([own.length, '42501']).toContain(await attempt(orgA, sql))
      expect([0, '42501']).toContain(await attempt('', sql))
      expect(await rowsOf(table, orgB)).toEqual(before)
    })

    test('no row of another org can be inserted, and no row can move to another org', async () => {
      expect(await insertAs(orgA, table, orgB)).toBe('42501')
      expect(await insertAs('', table, orgB)).toBe('42501')
      expect(await attempt(orgA, `update "${name}" set ${orgColumn} = '${orgB}'`)).toBe('42501')
    })
  },
)

const roles = `('crosswalk_app', 'crosswalk_limited', 'crosswalk_system')`

/** The policies that limit members to the records of some owners. */
const limited = [
  ...['company', 'contact', 'deal'].flatMap((table) =>
    ['kept', 'made', 'seen'].map((policy) => `${table} ${policy}`),
  ),
  ...['bulk_change seen', 'event seen', 'import seen', 'merge seen', 'note seen', 'task seen'],
].sort()

describe('the catalog of PostgreSQL', () => {
  const ask = async (sql: string) => (await owner.query(sql)).rows.map((row) => Object.values(row).join(' '))

  test('every table has forced row-level security, with one policy that gives rows to crosswalk_app', async () => {
    const open = await ask(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not (relrowsecurity and relforcerowsecurity)`,
    )
    expect(open).toEqual(['schema_migration'])
    const policies = await ask(
      // A subquery runs once for each statement, not for each row.
      `select tablename, policyname, permissive, roles, cmd,
         qual = regexp_replace(with_check, '[(] SELECT (.+) AS "nullif"[)]', E'\\\\1') from pg_policies
       where schemaname = 'public' and (roles && '{crosswalk_app,public}'::name[])`,
    )
    expect(policies).toHaveLength(tables.length)
    for (const policy of policies) expect(policy).toMatch(/^\w+ org PERMISSIVE \{crosswalk_app\} ALL true$/)
  })

  test('crosswalk_limited has the policies and rights of crosswalk_app, and policies that only restrict it', async () => {
    expect(
      await ask(
        `select tablename, policyname, permissive from pg_policies where 'crosswalk_limited' = any(roles)`,
      ),
    ).toEqual(expect.arrayContaining(limited.map((policy) => `${policy} RESTRICTIVE`)))
    const granted = await ask(
      `select table_name from information_schema.table_privileges where grantee = 'crosswalk_limited'
       union all select routine_name from information_schema.routine_privileges where grantee = 'crosswalk_limited'`,
    )
    expect(granted).toEqual([])
  })

  test('crosswalk_limited sees no record if its transaction names no member', async () => {
    const limited = database.org(orgA, { recordAccess: 'own' })
    const records = ['contact', 'company', 'deal', 'note', 'task', 'merge', 'event', 'import']
    for (const table of [...records, 'bulk_change']) {
      const count = { text: `select count(*)::int as seen, current_user as role from ${table}`, values: [] }
      expect([table, await limited.readRows(count)]).toEqual([
        table,
        [{ seen: 0, role: 'crosswalk_limited' }],
      ])
    }
  })

  test.each(['note', 'task'])(
    'no function runs for each %s of an organization if a limited member lists some',
    async (table) => {
      const limited = database.org(orgA, { recordAccess: 'own' })
      const text = `explain (costs off) select count(*) from ${table} where org_id = app.org_id()`
      const plan = await limited.readRows<{ 'QUERY PLAN': string }>({ text, values: [] })
      const lines = plan.map((row) => row['QUERY PLAN'])
      expect(lines.filter((line) => line.includes('sees_record'))).toEqual([])
    },
  )

  test('the roles of processes own nothing, and only crosswalk_limited is a member of another role, crosswalk_app', async () => {
    expect(
      await ask(
        `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication from pg_roles
         where rolname in ${roles}`,
      ),
    ).toEqual(Array(3).fill('false false false false false'))
    expect(
      await ask(`select r.rolname, m.roleid::regrole from pg_auth_members m join pg_roles r on r.oid = m.member
                 where r.rolname in ${roles}`),
    ).toEqual(['crosswalk_limited crosswalk_app'])
    expect(
      await ask(`select classid::regclass, objid from pg_shdepend
                 where deptype = 'o' and refobjid in (select oid from pg_roles where rolname in ${roles})`),
    ).toEqual([])
  })

  test('crosswalk_app may not truncate or create a table, nor read the list of migrations', async () => {
    expect(
      await ask(
        `select relname, privilege from pg_class, unnest('{TRUNCATE,REFERENCES,TRIGGER}'::text[]) as privilege
         where relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and relkind in ('r', 'p')
         and has_table_privilege('crosswalk_app', oid, privilege)`,
      ),
    ).toEqual([])
    expect(
      await ask(
        `select nspname from pg_namespace where has_schema_privilege('crosswalk_app', oid, 'create')`,
      ),
    ).toEqual([])
    expect(await ask(`select has_table_privilege('crosswalk_app', 'schema_migration', 'select')`)).toEqual([
      'false',
    ])
  })

  test('crosswalk_app may not create temporary tables after the start of a server', async () => {
    const may = () => ask(`select has_database_privilege('crosswalk_app', current_database(), 'temporary')`)
    // PostgreSQL gives every role this right in a new database.
    expect(await may()).toEqual(['true'])
    await prepareDatabase(copy.url, testKey, createLog('silent'), null)
    expect(await may()).toEqual(['false'])
  })

  test('no view or foreign table bypasses the policies', async () => {
    expect(
      await ask(`select relname from pg_class where relnamespace in ('public'::regnamespace, 'app'::regnamespace)
                 and relkind in ('v', 'm', 'f')`),
    ).toEqual([])
  })

  test('security definer functions have a fixed search_path, and PUBLIC may not call them', async () => {
    const functions = await ask(
      `select oid::regprocedure, coalesce(array_to_string(proconfig, ';'), ''), has_function_privilege('public', oid, 'execute')
       from pg_proc where prosecdef and pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`,
    )
    expect(functions.length).toBeGreaterThan(3)
    for (const each of functions) expect(each).toMatch(/^app\..+ search_path=public, pg_temp false$/)
  })
})

type Table = { name: string; orgColumn: string; columns: { name: string; type: string }[] }

/** The tables with the policy `org`, and the columns that a row must have. */
async function protectedTables(): Promise<Table[]> {
  const { rows } = await owner.query<{ name: string; qual: string; columns: Table['columns'] }>(
    `select p.tablename as name, p.qual, json_agg(json_build_object(
       'name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum) as columns
     from pg_policies p join pg_attribute a on a.attrelid = format('%I.%I', p.schemaname, p.tablename)::regclass
     where p.schemaname = 'public' and p.policyname = 'org' and a.attnum > 0 and not a.attisdropped
       and (a.attnotnull or a.attname = substring(p.qual from '\\w+')) and not a.atthasdef and a.attidentity = ''
     group by 1, 2 order by 1`,
  )
  return rows.map(({ name, qual, columns }) => ({ name, columns, orgColumn: /\w+/.exec(qual)![0] }))
}

/** Drops constraints, because these tests are not about values or references. */
async function dropConstraints(): Promise<void> {
  const { rows } = await owner.query<{ sql: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as sql from pg_constraint
     where connamespace = 'public'::regnamespace and contype in ('c', 'f')`,
  )
  for (const { sql } of rows) await owner.query(sql)
}

function rowFor(table: Table, orgId: string): { text: string; values: unknown[] } {
  const names = table.columns.map(({ name }) => `"${name}"`)
  const values = table.columns.map(({ name, type }) => {
    const make = someValue[type]
    if (!make) throw new Error(`no value of the type ${type} for ${table.name}.${name}: add one to someValue`)
    return name === table.orgColumn ? orgId : make()
  })
  const text = `insert into "${table.name}" (${names}) values (${values.map((_, index) => `$${index + 1}`)})`
  return { text, values }
}

async function insert(client: Client, table: Table, orgId: string): Promise<void> {
  const { text, values } = rowFor(table, orgId)
  await client.query(text, values)
}

/** The rows of an org with ctid and xmin, so that even a write of the same values is visible. */
async function rowsOf({ name, orgColumn }: Table, orgId: string): Promise<unknown[]> {
  const sql = `select ctid::text, xmin::text, xmax::text, t::text from "${name}" t where ${orgColumn} = $1 order by 1`
  return (await owner.query(sql, [orgId])).rows
}

class RollBack extends Error {}

/** How many rows `sql` changes as crosswalk_app for `orgId`, or the SQLSTATE of its error. Rolls back. */
async function attempt(orgId: string, text: string, values: unknown[] = []): Promise<number | string> {
  let count = 0
  try {
    await database.org(orgId).transact(async (tx) => {
      count = await tx.run({ text, values })
      throw new RollBack()
    })
  } catch (error) {
    if (!(error instanceof RollBack)) return (error as { code: string }).code
  }
  return count
}

function insertAs(orgId: string, table: Table, rowOrgId: string): Promise<number | string> {
  const { text, values } = rowFor(table, rowOrgId)
  return attempt(orgId, text, values)
}
