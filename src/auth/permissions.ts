import type { Caller } from '../platform/caller.ts'
import { forbidden } from '../platform/http/problem.ts'

/** What permissions can be about; each has the actions read, write and manage. */
export const resources = ['agency', 'api_keys', 'companies', 'contacts', 'events', 'organization'] as const

/** A permission as it may be granted: `*`, `contacts:*`, `contacts:read`. */
export const permissionPattern: RegExp = new RegExp(
  `^(\\*|(${resources.join('|')}):(\\*|read|write|manage))$`,
)

const rank: Record<string, number> = { read: 1, write: 2, manage: 3, '*': 3 }

/**
 * True if `granted` (null: everything) includes `needed`. Write implies read, and manage implies both.
 * The one answer to "may this caller do this?".
 */
export function allows(granted: readonly string[] | null, needed: string): boolean {
  if (granted === null) return true
  const [resource, action] = needed.split(':')
  return granted.some((permission) => {
    if (permission === '*') return true
    const [grantedResource, grantedAction] = permission.split(':')
    return grantedResource === resource && rank[grantedAction ?? '']! >= (rank[action ?? ''] ?? 4)
  })
}

/** True if every one of `asked` (null: everything) is included in `granted`: no key mints more than it has. */
export function covers(granted: readonly string[] | null, asked: readonly string[] | null): boolean {
  if (granted === null || granted.includes('*')) return true
  return asked?.every((permission) => allows(granted, permission)) ?? false
}

/**
 * Refuses a caller that may not do what needs `permission`, or one of several. What is about an agency's clients
 * needs an agency key on its own org, too.
 * @throws Problem 403 that names what is missing
 */
export function requirePermission(caller: Caller, permission: string | readonly string[]): void {
  const needed = typeof permission === 'string' ? [permission] : permission
  if (!needed.some((one) => allows(caller.permissions, one))) {
    throw forbidden(
      `This API key lacks the permission ${needed.join(' or ')}; use a key that has it, or ask for one`,
    )
  }
  if (!needed.some((one) => one.startsWith('agency:'))) return
  if (!caller.isAgencyKey) {
    throw forbidden(
      'This needs an agency key: create one with is_agency true in the organization of the agency',
    )
  }
  if (caller.orgId !== caller.keyOrgId) {
    throw forbidden('Clients belong to the agency: leave X-Target-Org-Id out to act on its own organization')
  }
}
