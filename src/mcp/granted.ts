import { allows } from '../auth/permissions.ts'

/**
 * The permissions that a tool may need. Connections never get other permissions, such as those for keys, members,
 * settings or erasure.
 */
export const toolPermissions = [
  'contacts:read',
  'contacts:write',
  'companies:read',
  'companies:write',
  'deals:read',
  'deals:write',
  'duplicates:read',
  'duplicates:write',
  'events:read',
  'close_reasons:read',
  'personas:read',
  'voice:read',
  'voice:write',
  'crm:read',
  'crm:write',
  'signatures:read',
  'signatures:write',
] as const

/** Splits the permissions of tools into granted and missing ones. */
export function permissionsOfTools(granted: readonly string[] | null) {
  return {
    granted: toolPermissions.filter((permission) => allows(granted, permission)),
    not_granted: toolPermissions.filter((permission) => !allows(granted, permission)),
  }
}
