import type { ClientBase } from 'pg'
import { oneRow } from './one-row.ts'

/** SQL: whether the role that serves requests may create temporary tables. */
export const mayMakeTemporary = `exists (
  select from pg_roles where rolname = 'crosswalk_app' and has_database_privilege(oid, current_database(), 'temporary')
)`

/**
 * Revokes the right to create temporary tables from all roles except the owner of the database. Functions that search
 * the temporary schema first could read such a table instead of one of Crosswalk. A back-up does not contain this
 * right, so each start checks it. A migrating role that does not own the database cannot revoke it, and `doctor`
 * reports that.
 */
export async function refuseTemporaryTables(owner: ClientBase): Promise<void> {
  const { may } = await oneRow<{ may: boolean }>(owner, `select ${mayMakeTemporary} as may`)
  if (!may) return
  await owner.query(`
    do $$ begin
      execute format('revoke temporary on database %I from public, crosswalk_app', current_database());
    exception when insufficient_privilege then null; end $$`)
}
