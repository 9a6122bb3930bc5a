import { createHmac, hash, pbkdf2Sync, randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import { type Connection, connectClient } from '../db/address.ts'
import { codeOf } from '../db/errors.ts'
import { type RoleMode, type RoleName, roleConfig, roleNames, rolePassword } from '../db/roles.ts'
import type { Log } from '../log.ts'
import { OperatorError } from '../report.ts'
import { oneRow } from './one-row.ts'

const allRoles = 'crosswalk_app, crosswalk_limited and crosswalk_system'

/**
 * Makes sure that the three roles of Crosswalk exist, that this installation can use them, and that row-level security
 * applies to them. Installations with different encryption keys can share a PostgreSQL server, so a role that can log
 * in keeps its password. If this installation cannot log in as a role, it uses SET ROLE.
 * @param urls the addresses at which the roles log in: the address of PostgreSQL itself, and the address of a pooler
 * @param rootKeys the first one makes new passwords; passwords of the others still work
 * @returns the mode, and the key whose passwords work
 * @throws OperatorError with the statements that an administrator must run
 */
export async function prepareRoles(
  owner: ClientBase,
  urls: readonly string[],
  rootKeys: readonly [Buffer, ...Buffer[]],
  log: Log,
): Promise<{ roles: RoleMode; roleKey: Buffer }> {
  const chosen = await chooseMode(owner, urls, rootKeys, log)
  await requireInheritance(owner)
  await requireBound(owner)
  return chosen
}

async function chooseMode(
  owner: ClientBase,
  urls: readonly string[],
  rootKeys: readonly [Buffer, ...Buffer[]],
  log: Log,
): Promise<{ roles: RoleMode; roleKey: Buffer }> {
  const [rootKey] = rootKeys
  for (const roleKey of rootKeys) if (await canAllLogIn(urls, roleKey)) return { roles: 'login', roleKey }
  await makeRoles(owner, rootKey)
  if (await canAllLogIn(urls, rootKey)) return { roles: 'login', roleKey: rootKey }
  for (const role of roleNames) await requireSetRole(owner, role)
  const { rows } = await owner.query<{ taken: boolean }>(
    'select bool_or(rolcanlogin) as taken from pg_roles where rolname = any ($1)',
    [roleNames],
  )
  if (rows[0]?.taken) log.warn(foreignPassword)
  else log.info(`${allRoles} have no login; each transaction enters them by SET ROLE`)
  return { roles: 'set-role', roleKey: rootKey }
}

const foreignPassword =
  `${allRoles} do not log in with the passwords of this ENCRYPTION_KEY: another Crosswalk on ` +
  'this server has set them, the key was changed, or pg_hba.conf or a connection pooler refuses them. Crosswalk does not change them: each transaction ' +
  'enters them by SET ROLE. If no other Crosswalk uses this server, they get new passwords at the next start after: ' +
  roleNames.map((role) => `alter role ${role} nologin;`).join(' ')

async function canAllLogIn(urls: readonly string[], rootKey: Buffer): Promise<boolean> {
  const configs = urls.flatMap((url) => roleNames.map((role) => roleConfig(url, rootKey, role, null)))
  const attempts = await Promise.all(configs.map(canLogIn))
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
      // Create all roles or none: if two installations start at once, one of them must get all.
      await owner.query('begin')
      for (const role of roleNames) await setPassword(owner, role, rolePassword(rootKey, role))
      if (!(await inherits(owner))) await owner.query(inheritance)
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

const inheritance = 'grant crosswalk_app to crosswalk_limited'

async function inherits(owner: ClientBase): Promise<boolean> {
  const { rows } = await owner.query<{ inherits: boolean }>(
    `select bool_or(pg_has_role(oid, 'crosswalk_app', 'usage')) as inherits from pg_roles where rolname = 'crosswalk_limited'`,
  )
  return rows[0]?.inherits ?? false
}

/** @throws OperatorError if crosswalk_limited lacks the rights of crosswalk_app, and the owner may not grant them */
async function requireInheritance(owner: ClientBase): Promise<void> {
  if (await inherits(owner)) return
  await owner.query(inheritance).catch(() => {})
  if (!(await inherits(owner))) throw new OperatorError(await grantStatement(owner))
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
    `${inheritance};`,
    `grant ${roleNames.join(', ')} to ${name};`,
  ]
  return `The migrating role ${name} may neither create the three roles of Crosswalk nor act as them. Let an administrator of the server run:\n\n${statements.map((each) => `  ${each}\n`).join('')}\nthen start again.`
}

/** @throws OperatorError if row-level security would not bind crosswalk_app or crosswalk_limited */
async function requireBound(owner: ClientBase): Promise<void> {
  const { rows } = await owner.query<{ unbound: boolean }>(`
    select bool_or(rolsuper or rolbypassrls or pg_has_role(oid, current_user, 'member')
      or pg_has_role(oid, 'crosswalk_system', 'member')) as unbound
    from pg_roles where rolname in ('crosswalk_app', 'crosswalk_limited')`)
  if (rows[0]?.unbound !== false)
    throw new OperatorError(
      'The role crosswalk_app or crosswalk_limited would see the rows of every organization: neither may be a superuser, ' +
        'have BYPASSRLS, or be a member of another role, except that crosswalk_limited is a member of crosswalk_app. ' +
        'An administrator must revoke that; then start again.',
    )
}

/** PostgreSQL's stored form of a SCRAM-SHA-256 password (RFC 5802, RFC 7677). */
function scramVerifier(password: string, iterations = 4096): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = hash('sha256', hmac('Client Key'), 'base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`
}
