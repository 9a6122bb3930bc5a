import type { RecordAccess } from '../platform/caller.ts'
import { allows, resources } from './permissions.ts'

/** The roles of members, from the most rights to the fewest. */
export const roles = ['owner', 'admin', 'member', 'viewer'] as const

export type Role = (typeof roles)[number]

/** The resources that the role `member` may write. */
const written: ReadonlySet<string> = new Set([
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
])
const read = resources.filter((resource) => resource !== 'api_keys')

const permissionsOfRole: Readonly<Record<Role, readonly string[] | null>> = {
  owner: null,
  admin: ['*'],
  member: read.map((resource) => `${resource}:${written.has(resource) ? 'write' : 'read'}`),
  viewer: read.map((resource) => `${resource}:read`),
}

/**
 * Resources that show people of the whole organization. Members whose access to records is limited get none of these
 * resources.
 */
const wholeOrgResources: ReadonlySet<string> = new Set([
  'agency',
  'crm',
  'forms',
  'tracking',
  'visitors',
  'voice',
  'webhooks',
])

/** The values by which a membership stores which records it reaches. */
export const recordAccesses = ['all', 'team', 'own'] as const

export type StoredRecordAccess = (typeof recordAccesses)[number]

/** The limit of a membership; undefined: none. */
export const limitOf = (stored: StoredRecordAccess): RecordAccess | undefined =>
  stored === 'all' ? undefined : stored

/** The roles whose access to records can be limited. */
export const isLimitable = (role: Role): boolean => role === 'member' || role === 'viewer'

/**
 * The permissions of a role. `narrowed` and `recordAccess` can only reduce them.
 * @param narrowed the permissions of the membership; null: the whole role
 */
export function permissionsOf(
  role: Role,
  narrowed: readonly string[] | null,
  recordAccess?: RecordAccess,
): readonly string[] | null {
  const whole = permissionsOfRole[role]
  const own =
    narrowed === null
      ? whole
      : narrowed.filter((permission) => permission !== '*' && allows(whole, permission))
  if (recordAccess === undefined) return own
  return own?.filter((permission) => !wholeOrgResources.has(permission.split(':')[0] ?? '')) ?? []
}

/** Whether a member with the role `own` may give or remove the role `other`. Only owners may do this for owners. */
export function outranks(own: Role, other: Role): boolean {
  return own === 'owner' || (own === 'admin' && other !== 'owner')
}
