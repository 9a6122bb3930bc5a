import { createHmac, hash, pbkdf2Sync, randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import { type Connection, connectClient } from '../db/address.ts'
import { type RoleMode, type RoleName, roleConfig, roleNames, rolePassword } from '../db/roles.ts'
import type { Log } from '../log.ts'
import { OperatorError } from '../report.ts'
import { oneRow } from './one-row.ts'

/**
 * Makes sure that crosswalk_app and crosswalk_system exist, that this installation can use them, and that row-level
 * security applies to them. Installations with different encryption keys can share a PostgreSQL server, so a role that
 * can log in keeps its password. If this installation cannot log in as a role, it uses SET ROLE.
 * @throws OperatorError with the statements that an administrator must run
 */
export async function prepareRoles(
  owner: ClientBase,
  url: string,
  rootKey: Buffer,
  log: Log,
): Promise<RoleMode> {
  const mode = await chooseMode(owner, url, rootKey, log)
  await requireBound(owner)
  return mode
}

async function chooseMode(owner: ClientBase, url: string, rootKey: Buffer, log: Log): Promise<RoleMode> {
  if (await canAllLogIn(url, rootKey)) return 'login'
  await makeRoles(owner, rootKey)
  if (await canAllLogIn(url, rootKey)) return 'login'
  for (const role of roleNames) await requireSetRole(owner, role)
  const { rows } = await owner.query<{ taken: boolean }>(
    'select bool_or(rolcanlogin) as taken from pg_roles where rolname = any ($1)',
    [roleNames],
  )
  if (rows[0]?.taken) log.warn(foreignPassword)
  else log.info('crosswalk_app and crosswalk_system have no login; each transaction enters them by SET ROLE')
  return 'set-role'
}

const foreignPassword =
  'crosswalk_app and crosswalk_system do not log in with the passwords of this ENCRYPTION_KEY: another Crosswalk on ' +
  'this server has set them, the key was changed, or pg_hba.conf refuses them. Crosswalk does not change them: each transaction ' +
  'enters them by SET ROLE. If no other Crosswalk uses this server, they get new passwords at the next start after: ' +
  'alter role crosswalk_app nologin; alter role crosswalk_system nologin;'

async function canAllLogIn(url: string, rootKey: Buffer): Promise<boolean> {
  const attempts = await Promise.all(roleNames.map((role) => canLogIn(roleConfig(url, rootKey, role))))
  return attempts.every(Boolean)
}

// 28: refused because of the password or pg_hba.conf. 42501: no right to connect. 08P01: the user is unknown to
// PgBouncer.
const loginRefusedCodes = /^(28...|42501|08P01)$/

/** @throws any connection error that does not concern the role */
async function canLogIn(config: Connection): Promise<boolean> {
  try {
    const client = await connectClient({
      ...config,
      connectionTimeoutMillis: 10_000,
      application_name: 'crosswalk migrate',
    })
    await client.end().catch(() => {})
    return true
  } catch (error) {
    if (loginRefusedCodes.test(codeOf(error))) return false
    throw error
  }
}

/** Creates missing roles, and gives a password to roles that cannot log in, if the owner may. */
async function makeRoles(owner: ClientBase, rootKey: Buffer): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      // Create both roles or none: if two installations start at once, one of them must get both.
      await owner.query('begin')
      for (const role of roleNames) await setPassword(owner, role, rolePassword(rootKey, role))
      await owner.query('commit')
      break
    } catch (error) {
      await owner.query('rollback')
      if (codeOf(error) === '42501') return
      if (attempt === 5 || !isLostRace(error)) throw error
    }
  }
  await owner.query(`
    do $$ begin
      execute format('grant connect on database %I to ${roleNames.join(', ')}', current_database());
    exception when insufficient_privilege then null; end $$`)
}

async function setPassword(owner: ClientBase, role: RoleName, password: string): Promise<void> {
  const { rows } = await owner.query<{ rolcanlogin: boolean }>(
    'select rolcanlogin from pg_roles where rolname = $1',
    [role],
  )
  if (rows[0]?.rolcanlogin) return
  // Send a verifier: statement logs could show the password.
  const verb = rows.length === 0 ? 'create' : 'alter'
  await owner.query(`${verb} role ${role} login password '${scramVerifier(password)}'`)
}

// Another installation on the server may create the roles at the same time: advisory locks work only within one
// database. 42710 and 23505: the role exists now. XX000: "tuple concurrently updated".
function isLostRace(error: unknown): boolean {
  return ['42710', '23505', 'XX000'].includes(codeOf(error))
}

/** @throws OperatorError if the owner may not act as `role` */
async function requireSetRole(owner: ClientBase, role: RoleName): Promise<void> {
  if (await maySetRole(owner, role)) return
  // Since PostgreSQL 16, the creator of a role must grant it to itself before SET ROLE.
  await owner.query(`grant ${role} to current_user`).catch(() => {})
  if (await maySetRole(owner, role)) return
  throw new OperatorError(await grantStatement(owner))
}

async function maySetRole(owner: ClientBase, role: RoleName): Promise<boolean> {
  try {
    await owner.query(`set role ${role}`)
    await owner.query('reset role')
    return true
  } catch {
    return false
  }
}

async function grantStatement(owner: ClientBase): Promise<string> {
  const { name, existing } = await oneRow<{ name: string; existing: string[] }>(
    owner,
    `select quote_ident(current_user) as name,
       array(select rolname::text from pg_roles where rolname = any ($1)) as existing`,
    [roleNames],
  )
  const statements = [
    ...roleNames.filter((role) => !existing.includes(role)).map((role) => `create role ${role} nologin;`),
    `grant ${roleNames.join(', ')} to ${name};`,
  ]
  return `The role ${name} of DATABASE_URL may neither create the two roles of Crosswalk nor act as them. Let an administrator of the server run:\n\n${statements.map((each) => `  ${each}\n`).join('')}\nthen start again.`
}

/** @throws OperatorError if row-level security would not bind crosswalk_app */
async function requireBound(owner: ClientBase): Promise<void> {
  const { rows } = await owner.query<{ unbound: boolean }>(`
    select rolsuper or rolbypassrls or pg_has_role(oid, current_user, 'member')
      or pg_has_role(oid, 'crosswalk_system', 'member') as unbound
    from pg_roles where rolname = 'crosswalk_app'`)
  if (rows[0]?.unbound !== false)
    throw new OperatorError(
      'The role crosswalk_app would see the rows of every organization: it must be no superuser, without BYPASSRLS, and ' +
        'no member of another role. An administrator must revoke that; then start again.',
    )
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code)
}

/** PostgreSQL's stored form of a SCRAM-SHA-256 password (RFC 5802, RFC 7677). */
function scramVerifier(password: string, iterations = 4096): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = hash('sha256', hmac('Client Key'), 'base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`
}
