import { deriveKey } from '../encryption-key.ts'
import { type Connection, connectionConfig, type SessionLimits } from './address.ts'

/**
 * The roles of the processes own no table. Row-level security binds `crosswalk_app` to one org. `crosswalk_limited`
 * inherits from it, and sees only the records that a member with limited record access sees (decision 11).
 */
export const roleNames = ['crosswalk_app', 'crosswalk_limited', 'crosswalk_system'] as const
export type RoleName = (typeof roleNames)[number]

/** 'login': the roles log in with derived passwords. 'set-role': the migrating role runs SET ROLE in each transaction. */
export type RoleMode = 'login' | 'set-role'

/** A role's password, the same on every node that has the same encryption key. */
export function rolePassword(rootKey: Buffer, role: RoleName): string {
  return deriveKey(rootKey, `postgres role ${role}`).toString('base64url')
}

/** Returns the configuration to connect to the database of `url` as `role`, with its derived password. */
export function roleConfig(
  url: string,
  rootKey: Buffer,
  role: RoleName,
  limits?: SessionLimits | null,
): Connection {
  return { ...connectionConfig(url, limits), user: role, password: rolePassword(rootKey, role) }
}
