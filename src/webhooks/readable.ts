import { eventCatalog, eventTypes } from '../events/catalog.ts'
import { mayRead } from '../events/readable.ts'
import { typesOf } from '../events/type-patterns.ts'
import type { Caller } from '../platform/caller.ts'
import { forbidden } from '../platform/domain-error.ts'

/**
 * Requires that the caller may read the objects of the named types. `*` and `contact.*` need permission for only one
 * of their types: the endpoint gets the types that its permissions allow.
 * @throws DomainError forbidden that names the first type and the missing permission
 */
export function requireReadable({ permissions, memberId }: Caller, patterns: readonly string[]): void {
  for (const pattern of patterns) {
    const types = new Set<string>(typesOf([pattern]) ?? eventTypes)
    const entries = eventCatalog.filter(({ type }) => types.has(type))
    const isReadable = entries.some(({ type }) => mayRead(permissions, type))
    const [first] = entries
    if (!isReadable && first)
      throw forbidden(
        'permission_missing',
        `${memberId === null ? 'This API key' : 'Your role'} lacks the permission ${[first.permission].flat().join(' or ')}, which the type ${pattern} needs; ${memberId === null ? 'use a key that has it' : 'ask an owner or admin'}, or leave the type out`,
      )
  }
}
