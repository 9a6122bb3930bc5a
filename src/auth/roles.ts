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
 * The permissions of a role. `narrowed` can only reduce them.
 * @param narrowed the permissions of the membership; null: the whole role
 */
export function permissionsOf(role: Role, narrowed: readonly string[] | null): readonly string[] | null {
  const whole = permissionsOfRole[role]
  return narrowed === null
    ? whole
    : narrowed.filter((permission) => permission !== '*' && allows(whole, permission))
}

/** Whether a member with the role `own` may give or remove the role `other`. Only owners may do this for owners. */
export function outranks(own: Role, other: Role): boolean {
  return own === 'owner' || (own === 'admin' && other !== 'owner')
}
