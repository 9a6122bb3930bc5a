import type { Caller } from '../platform/caller.ts'
import { type DomainError, forbidden } from '../platform/domain-error.ts'

/** The resources of permissions. Each has the actions read, write and manage. */
export const resources = [
  'agency',
  'api_keys',
  'close_reasons',
  'companies',
  'contacts',
  'crm',
  'deals',
  'duplicates',
  'events',
  'forms',
  'members',
  'notes',
  'organization',
  'personas',
  'signatures',
  'tasks',
  'tracking',
  'visitors',
  'voice',
  'webhooks',
] as const

/** The permissions that can be granted: `*`, `contacts:*`, `contacts:read`. */
export const permissionPattern: RegExp = new RegExp(
  `^(\\*|(${resources.join('|')}):(\\*|read|write|manage))$`,
)

const rank: Record<string, number> = { read: 1, write: 2, manage: 3, '*': 3 }

/** Whether `granted` includes `needed`. null grants everything. Manage includes write, and write includes read. */
export function allows(granted: readonly string[] | null, needed: string): boolean {
  if (granted === null) return true
  const [resource, action] = needed.split(':')
  return granted.some((permission) => {
    if (permission === '*') return true
    const [grantedResource, grantedAction] = permission.split(':')
    return grantedResource === resource && (rank[grantedAction ?? ''] ?? 0) >= (rank[action ?? ''] ?? 4)
  })
}

/**
 * Whether `granted` includes all of `asked`; null means everything. A key must not create a key with more permissions
 * than its own.
 */
export function covers(granted: readonly string[] | null, asked: readonly string[] | null): boolean {
  if (granted === null || granted.includes('*')) return true
  return asked?.every((permission) => allows(granted, permission)) ?? false
}

/**
 * The error for a caller without the permission; null if the caller has it. Of several permissions, one is enough. All
 * checks of permissions use this function. Permissions for an agency's clients need an agency key that acts on its own
 * org, or a member of the agency.
 * @returns DomainError forbidden that names the missing permission
 */
export function refusalOf(caller: Caller, permission: string | readonly string[]): DomainError | null {
  const needed = typeof permission === 'string' ? [permission] : permission
  if (!needed.some((one) => allows(caller.permissions, one))) {
    return forbidden(
      'permission_missing',
      caller.memberId === null
        ? `This API key lacks the permission ${needed.join(' or ')}; use a key that has it, or ask for one`
        : caller.connectedAppId === undefined
          ? `Your role lacks the permission ${needed.join(' or ')}; ask an owner or admin of ${roleGiverOf(caller)}`
          : `This app lacks the permission ${needed.join(' or ')}; connect it again and choose it, if your role has it`,
    )
  }
  if (!needed.some((one) => one.startsWith('agency:'))) return null
  if (!caller.reachesClients) {
    return forbidden(
      'agency_key_required',
      caller.memberId === null
        ? 'This needs an agency key: create one with is_agency true in the organization of the agency'
        : 'This organization is not an agency, so it has no clients',
    )
  }
  if (caller.orgId !== caller.homeOrgId) {
    return forbidden(
      'own_organization_required',
      'Clients belong to the agency: leave X-Target-Org-Id out to act on its own organization',
    )
  }
  return null
}

/** The words for the organization that gives a member the role: in a client of an agency, it is the agency. */
const roleGiverOf = ({ orgId, homeOrgId }: Caller): string =>
  orgId === homeOrgId ? 'the organization' : 'your own organization, which gives you your role here'

/**
 * Requires that the caller has the permission, or one of several.
 * @throws DomainError forbidden that names the missing permission
 */
export function requirePermission(caller: Caller, permission: string | readonly string[]): void {
  const refusal = refusalOf(caller, permission)
  if (refusal) throw refusal
}
