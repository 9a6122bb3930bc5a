import { refusalOf, requirePermission } from '../auth/permissions.ts'
import { type EntityType, entityTypes } from '../matching/entity-type.ts'
import type { Caller } from '../platform/caller.ts'
import type { DomainError } from '../platform/domain-error.ts'
import { resourceOf } from './entities.ts'

/**
 * The requested record type; by default all types that `caller` may read.
 * @throws DomainError forbidden
 */
export function readableTypes(caller: Caller, asked: EntityType | undefined): EntityType[] {
  if (asked) requirePermission(caller, `${resourceOf(asked)}:read`)
  return asked ? [asked] : entityTypes.filter((each) => !refusalOf(caller, `${resourceOf(each)}:read`))
}

/** Why `caller` may not merge, undo or scan records; null if it may. */
export function mergeRefusal(caller: Caller, entityType: EntityType): DomainError | null {
  return refusalOf(caller, 'duplicates:write') ?? refusalOf(caller, `${resourceOf(entityType)}:write`)
}

/** Why `caller` may not get a stored answer; null if it may. `shown` is a merge, several merges, or a scan. */
export function answerRefusal(caller: Caller, shown: Record<string, unknown>): DomainError | null {
  const [first] = (shown.merges ?? [shown]) as { entity_type: EntityType }[]
  return first ? mergeRefusal(caller, first.entity_type) : null
}
