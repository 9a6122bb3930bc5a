import type { RecordAccess, Role } from '../../../api/generated/types.ts'
import { allows, permissionResources } from '../../../api/permissions.ts'

export const roles: readonly { value: Role; name: string; about: string }[] = [
  {
    value: 'owner',
    name: 'Owner',
    about: 'Everything. Only owners change owners, single sign-on and agency links.',
  },
  { value: 'admin', name: 'Admin', about: 'Everything else: API keys, settings, and members up to admin.' },
  {
    value: 'member',
    name: 'Member',
    about: 'Changes records and forms, places calls, installs signatures, pushes to the CRM. Reads the rest.',
  },
  { value: 'viewer', name: 'Viewer', about: 'Reads everything except API keys. Changes nothing.' },
]

export const roleName = (role: Role): string => roles.find(({ value }) => value === role)?.name ?? role

/** Which contacts, companies and deals a member sees, with their notes and tasks. */
export const recordAccess: readonly { value: RecordAccess; name: string; about: string }[] = [
  { value: 'all', name: 'All records', about: 'Everything in the organization.' },
  {
    value: 'team',
    name: 'Records of their teams',
    about: 'Records that they, or members of the same teams, own.',
  },
  {
    value: 'own',
    name: 'Own records',
    about: 'Records that they own. They do not see records without an owner, calls, CRMs, forms or visitors.',
  },
]

export const nameOfAccess = (access: RecordAccess): string =>
  recordAccess.find(({ value }) => value === access)?.name.toLowerCase() ?? access

/** Owners and admins see all records. */
export const mayBeLimited = (role: Role): boolean => role === 'member' || role === 'viewer'

/** Returns whether a person with the role `own` may give or take the role `other`. The server decides. */
export const outranks = (own: Role, other: Role): boolean =>
  own === 'owner' || (own === 'admin' && other !== 'owner')

const written: readonly string[] = [
  'companies',
  'contacts',
  'crm',
  'deals',
  'duplicates',
  'forms',
  'notes',
  'personas',
  'signatures',
  'tasks',
  'voice',
]

/** The permissions of a whole role; null: everything. The server decides; the dialog offers no more than these. */
export function permissionsOfRole(role: Role): readonly string[] | null {
  if (role === 'owner') return null
  if (role === 'admin') return ['*']
  return permissionResources
    .filter(([resource]) => resource !== 'api_keys')
    .map(([resource]) => `${resource}:${role === 'member' && written.includes(resource) ? 'write' : 'read'}`)
}

/**
 * The permissions of a list that a role also has. A change of the role would silently remove other permissions of a
 * membership.
 */
export const permissionsWithin = (role: Role, permissions: readonly string[]): string[] =>
  permissions.filter((permission) => allows(permissionsOfRole(role), permission))
