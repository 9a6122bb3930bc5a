import { expect, test } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { testTenancy } from './walls.ts'
import { withoutOrgFilter } from './without-org-filter.ts'

const openPolicies = ({ databaseUrl }: TestApp) =>
  runAsOwner(
    databaseUrl,
    `do $$
     declare name text;
     begin
       for name in select tablename from pg_policies where schemaname = 'public' and policyname = 'org' loop
         execute format('alter policy org on %I using (true) with check (true)', name);
       end loop;
     end $$`,
  )

// tenancy.long.test.ts tests the other wall. row-security.test.ts tests the policies of each table.
testTenancy('with org filters and without row-level security', { after: openPolicies })

test('the test removes org filters of every form from statements', () => {
  const sql =
    'select from a join b on b.org_id = a.org_id and b.x = a.x where a.org_id = $1 and "org_id" = $12 and org_id = app.org_id()'
  expect(withoutOrgFilter(sql)).toBe(
    'select from a join b on true and b.x = a.x where $1::uuid is not null and $12::uuid is not null and true',
  )
  const others = 'agency_org_id = $1 and set org_id = 3 and o.org_id = any($2)'
  expect(withoutOrgFilter(others)).toBe(others)
})
