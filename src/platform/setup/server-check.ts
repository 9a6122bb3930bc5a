import type { ClientBase } from 'pg'
import { roleNames } from '../db/roles.ts'
import { type DatabaseSetting, OperatorError } from '../report.ts'
import { oneRow } from './one-row.ts'

/** @throws OperatorError as `findServerFault` says it */
export async function checkServer(owner: ClientBase, setting: DatabaseSetting): Promise<void> {
  const fault = await findServerFault(owner, setting)
  if (fault !== null) throw new OperatorError(fault)
}

/**
 * Checks that the database fits Crosswalk's schema, and that `owner` may create it. Changes nothing.
 * @param setting the setting that has the address of `owner`
 * @returns what to change; null: nothing
 */
export async function findServerFault(owner: ClientBase, setting: DatabaseSetting): Promise<string | null> {
  const {
    version,
    encoding,
    escapes,
    standby,
    may_create: mayCreate,
    role,
    database,
  } = await oneRow<{
    version: string
    encoding: string
    escapes: boolean
    standby: boolean
    may_create: boolean
    role: string
    database: string
  }>(
    owner,
    `
    select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
      current_setting('standard_conforming_strings') = 'off' as escapes, pg_is_in_recovery() as standby,
      quote_ident(current_user) as role, quote_ident(current_database()) as database,
      has_database_privilege(current_database(), 'create') and coalesce(has_schema_privilege(to_regnamespace('public'), 'create'), false)
        as may_create`,
  )
  const major = Math.floor(Number(version) / 10_000)
  if (major < 15) return `Crosswalk needs PostgreSQL 15 or newer; this server is ${major}.`
  if (encoding !== 'UTF8')
    return (
      `The database ${database} is encoded in ${encoding}, which cannot store every name: create one with ` +
      `create database … encoding 'UTF8' template template0;`
    )
  if (escapes)
    return (
      `standard_conforming_strings is off for the role ${role} in the database ${database}, and Crosswalk needs the ` +
      `default: alter database ${database} set standard_conforming_strings = on; or, if the role has the setting: ` +
      `alter role ${role} reset standard_conforming_strings;`
    )
  if (standby) return `${setting} names a standby, which is read-only: name the primary.`
  // The owner sees every org, so it must not be a role that serves requests.
  if ((roleNames as readonly string[]).includes(role))
    return `${setting} logs in as ${role}, which Crosswalk uses itself: use a role that owns the database.`
  if (!mayCreate)
    return (
      `The role ${role} of ${setting} may not create schemas in the database ${database}, or tables in its schema ` +
      `public. Let an administrator run: alter database ${database} owner to ${role};`
    )
  return null
}
