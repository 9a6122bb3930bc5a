import { createHmac, hash, pbkdf2Sync, randomBytes } from 'node:crypto'
import { Client, type ClientBase, type ClientConfig } from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import { deriveKey } from '../encryption-key.ts'

/** The two roles that the processes work as. Neither owns anything; `crosswalk_app` is bound to one org. */
export const roleNames = ['crosswalk_app', 'crosswalk_system'] as const
export type RoleName = (typeof roleNames)[number]

/** A role's password, the same on every node that has the same encryption key. */
export function rolePassword(rootKey: Buffer, role: RoleName): string {
  return deriveKey(rootKey, `postgres role ${role}`).toString('base64url')
}

/** How to connect to the database of `url` as `role`, with its derived password. */
export function roleConfig(url: string, rootKey: Buffer, role: RoleName): ClientConfig {
  return { ...parseIntoClientConfig(url), user: role, password: rolePassword(rootKey, role) }
}

/**
 * Sees that both roles exist and can be worked as: 'login' when they log in with their derived passwords,
 * 'set-role' where a managed service allows no second login and the migrating role is their member.
 * @throws Error that tells an operator what to grant
 */
export async function prepareRoles(
  owner: ClientBase,
  url: string,
  rootKey: Buffer,
): Promise<'login' | 'set-role'> {
  if (await allLogIn(url, rootKey)) return 'login'
  try {
    for (const role of roleNames) await createRole(owner, role, rolePassword(rootKey, role))
    if (await allLogIn(url, rootKey)) return 'login'
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
  }
  try {
    for (const role of roleNames) await owner.query(`set role ${role}; reset role`)
    return 'set-role'
  } catch {
    throw new Error(
      'The database role of DATABASE_URL may neither create roles nor act as crosswalk_app and crosswalk_system. ' +
        'Let an administrator run: create role crosswalk_app; create role crosswalk_system; ' +
        'grant crosswalk_app, crosswalk_system to <the role of DATABASE_URL>;',
    )
  }
}

async function allLogIn(url: string, rootKey: Buffer): Promise<boolean> {
  const attempts = await Promise.all(roleNames.map((role) => logsIn(roleConfig(url, rootKey, role))))
  return attempts.every(Boolean)
}

async function logsIn(config: ClientConfig): Promise<boolean> {
  const client = new Client({ ...config, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function createRole(owner: ClientBase, role: RoleName, password: string): Promise<void> {
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [role])
  const verb = rowCount === 0 ? 'create' : 'alter'
  // A verifier instead of the password, so that no statement log ever holds the password.
  await owner.query(
    `${verb} role ${role} login nosuperuser nobypassrls password '${scramVerifier(password)}'`,
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
