import { allows } from '../auth/permissions.ts'

/**
 * The permissions that an app can get, in the order in which people see them. No app manages keys, members or settings,
 * and none erases.
 */
export const appPermissions = [
  'contacts:read',
  'contacts:write',
  'companies:read',
  'companies:write',
  'deals:read',
  'deals:write',
  'notes:read',
  'tasks:read',
  'close_reasons:read',
  'duplicates:read',
  'duplicates:write',
  'events:read',
  'personas:read',
  'voice:read',
  'voice:write',
  'crm:read',
  'crm:write',
  'signatures:read',
  'signatures:write',
] as const

export type AppPermission = (typeof appPermissions)[number]

/** The permissions that a person has and may give to an app. */
export const grantable = (permissions: readonly string[] | null): AppPermission[] =>
  appPermissions.filter((permission) => allows(permissions, permission))
