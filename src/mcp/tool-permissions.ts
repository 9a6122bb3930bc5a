import { allows } from '../auth/permissions.ts'
import { appPermissions } from '../connected-apps/permissions.ts'

/** Splits the permissions of tools into granted and missing ones. */
export function splitToolPermissions(granted: readonly string[] | null) {
  return {
    granted: appPermissions.filter((permission) => allows(granted, permission)),
    not_granted: appPermissions.filter((permission) => !allows(granted, permission)),
  }
}
