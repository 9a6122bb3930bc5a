import type { ClientBase } from 'pg'
import { oneRow } from './one-row.ts'

/** Asks whether the role that serves requests may make temporary tables. */
export const mayMakeTemporary = `exists (
  select from pg_roles where rolname = 'crosswalk_app' and has_database_privilege(oid, current_database(), 'temporary')
)`

/**
 * Takes the right to make temporary tables from all roles but the owner of the database: a table of that kind could stand
 * in for one of ours in a function that searches the temporary schema first. It is no part of a back-up, so each start
 * looks. A migrating role that does not own the database cannot change it, and `doctor` then says so.
 */
export async function refuseTemporaryTables(owner: ClientBase): Promise<void> {
  const { may } = await oneRow<{ may: boolean }>(owner, `select ${mayMakeTemporary} as may`)
  if (!may) return
  await owner.query(`
    do $$ begin
      execute format('revoke temporary on database %I from public, crosswalk_app', current_database());
    exception when insufficient_privilege then null; end $$`)
}
