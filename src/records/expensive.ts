import { isStatementTimeout } from '../platform/db/errors.ts'
import { invalid, tooMany } from '../platform/domain-error.ts'
import { filterNamed } from './filters/filters-of.ts'
import { conjunctsOf } from './filters/tree.ts'
import type { Matches, RecordType } from './record-type.ts'
import type { RecordSelector } from './selection.ts'
import { orderOf } from './sort.ts'

/**
 * Whether a list may read all records of the organization, because no index finds the records or has the order. This
 * depends on the filters and the sort, not on the values of the filters.
 */
export function isExpensive(
  type: RecordType,
  { filter, q, archived }: RecordSelector,
  sort: string,
): boolean {
  if (q !== undefined) return false
  const conjuncts = filter ? conjunctsOf(filter.tree) : []
  const matches = conjuncts.map((each): Matches => {
    return 'op' in each ? (filterNamed(type.filters, each.field)?.matches?.(each.op) ?? null) : null
  })
  if (matches.includes('few')) return false
  if (matches.includes(null)) return true
  const { key } = orderOf(type, sort)
  if (!key) return false
  const { indexedField } = key
  const isIndexed = indexedField !== undefined && !archived
  return !(isIndexed && conjuncts.every((each) => 'op' in each && each.field === indexedField))
}

/** The number of expensive lists of one organization that run at once in a process. */
const turnsMax = 2
const running = new Map<string, number>()

/**
 * Runs an expensive list. At a million records, each expensive list keeps a core of PostgreSQL busy for up to 1.5 s.
 * @param owner the organization that pays for the request
 * @throws DomainError too_many if two lists of the owner are already running; invalid if the list takes too long
 */
export async function inExpensiveTurn<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
  const turns = running.get(owner) ?? 0
  if (turns >= turnsMax)
    throw tooMany(
      'expensive_query',
      `${turnsMax} lists of this organization whose filter or sort has no index run already. Wait until one has ended, or filter by an indexed field (docs/reference/api.md).`,
      { retryAfterSeconds: 1 },
    )
  running.set(owner, turns + 1)
  try {
    return await work()
  } catch (error) {
    throw isStatementTimeout(error) ? tooSlow() : error
  } finally {
    const left = (running.get(owner) ?? 1) - 1
    if (left > 0) running.set(owner, left)
    else running.delete(owner)
  }
}

const tooSlow = () =>
  invalid(
    'query_too_slow',
    'The database stopped this list after 15 s. Send fewer conditions, or add a filter that has an index (docs/reference/api.md).',
  )
