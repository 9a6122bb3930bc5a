import { conflict, type DomainError } from '../../platform/domain-error.ts'
import { requireVersion } from '../../platform/http/if-match.ts'
import { requireActive } from '../change.ts'
import { matchedMember } from '../clusters/attribution.ts'
import { requireRoom } from '../clusters/limits.ts'
import { recordNotFound } from '../lock.ts'
import { candidatesMax, isMatch } from '../match.ts'
import { hiddenMatch, isHidden, requireReached } from '../owners/reach.ts'
import type { Fields, OrgDefaults, RecordType, StoredColumns, StoredRecord } from '../record-type.ts'
import type { Target } from '../targets.ts'
import { changedFields } from '../write.ts'
import { catchItemError, type Draft, type Failed, type Plan } from './item.ts'

/**
 * Drafts items one by one until an item depends on an earlier one. An item depends on an earlier change of the same
 * record, or of a record that may show a matching key. The caller can pause the work after each item.
 * @param found the records of each target of `batch`; the records of drafted items are removed
 */
export function* draftingUntilConflict(
  type: RecordType,
  batch: readonly (Plan | Failed)[],
  found: StoredRecord[][],
  orgDefaults: OrgDefaults,
): Generator<undefined, (Draft | Failed)[]> {
  const changed = new Set<StoredRecord>()
  const drafts: (Draft | Failed)[] = []
  let showsKeys = false
  for (const each of batch) {
    if (each.outcome === 'failed') {
      drafts.push(each)
      continue
    }
    const { target } = each
    if (target && found[0]?.some((stored) => changed.has(stored))) break
    const isMatched = target !== null && 'keys' in target
    if (isMatched && showsKeys) break
    const records = target ? (found.shift() ?? []) : []
    // An earlier write may have archived the record, or replaced the external id that found it.
    const candidates = isMatched ? records.filter((stored) => isMatch(type, target, stored)) : records
    const [only, ...others] = candidates
    if (only && others.length === 0) changed.add(only)
    const drafted = draftItem(type, each, candidates, orgDefaults)
    showsKeys ||= mayShowKeys(drafted)
    drafts.push(drafted)
    yield
  }
  return drafts
}

/** Whether the write can show keys that the item does not send: keys of an archived record, or hidden keys. */
export function mayShowKeys(drafted: Draft | Failed): boolean {
  if (drafted.outcome === 'failed' || !drafted.stored) return false
  const { action, target, stored } = drafted
  return action === 'restore' || (target !== null && 'recordId' in target && stored.cluster !== null)
}

/** Returns whether the write adds to lists. Other writes replace lists. */
export const isAdditive = ({ target, additive }: Pick<Plan, 'target' | 'additive'>): boolean =>
  additive === true || (target !== null && 'keys' in target)

/** Without candidates, the draft is a new record. */
export function draftItem(
  type: RecordType,
  plan: Plan,
  candidates: readonly StoredRecord[],
  orgDefaults: OrgDefaults,
): Draft | Failed {
  const { fresh, ...asked } = plan
  const { target, action, version, fields } = asked
  const { reach } = orgDefaults
  const [stored, ...others] = candidates
  return catchItemError(() => {
    if (target === null) return { ...asked, stored: null, state: fresh }
    if ('keys' in target) {
      if (!stored) {
        type.check(null, fresh, orgDefaults)
        return { ...asked, stored: null, state: fresh }
      }
      if (candidates.some(({ state }) => isHidden(state, reach))) throw hiddenMatch(target.matchOn)
      if (others.length > 0) throw ambiguousMatch(type, target.matchOn, candidates)
    }
    if (!stored || isHidden(stored.state, reach)) throw recordNotFound(type)
    requireVersion(`this ${type.entity}`, version, stored.version, { named: 'The item names' })
    if (action !== 'change') return { ...asked, stored, state: stored.state }
    requireActive(type, stored)
    const state = type.apply(stored.state, fields, orgDefaults, isAdditive(asked))
    requireReached(state, reach)
    type.check(stored.state, state, orgDefaults)
    const written = asked.additive ? writtenFields(type, fields, stored.state, state) : fields
    requireRoom(type, stored, { fields: written, orgDefaults, add: isAdditive(asked) }, () =>
      namedIdOf(type, stored, target),
    )
    return { ...asked, fields: written, stored, state }
  })
}

/** The sent fields that differ. A shown value may belong to an absorbed record: it is not copied to the named record. */
function writtenFields(type: RecordType, sent: Fields, before: StoredColumns, after: StoredColumns): Fields {
  const differing = changedFields(type, before, after).map((path) => path.split('.')[0] ?? path)
  // The names of fields that are written together start alike: `email` and `emails`.
  const isWritten = (name: string) => differing.some((each) => name.startsWith(each) || each.startsWith(name))
  return Object.fromEntries(Object.entries(sent).filter(([name]) => isWritten(name)))
}

/** The id that the request named. For an upsert: the id of the record that it would have changed without any merge. */
export function namedIdOf(
  type: RecordType,
  { recordId, cluster }: StoredRecord,
  target: Target | null,
): string {
  if (target && 'recordId' in target) return target.recordId
  return cluster && target ? matchedMember(type, cluster, target.matchOn, target.keys) : recordId
}

function ambiguousMatch(type: RecordType, matchOn: string, candidates: readonly StoredRecord[]): DomainError {
  const plural = type.path.slice(1)
  const named = candidates.slice(0, candidatesMax - 1).map(({ recordId }) => recordId)
  const many =
    named.length < candidates.length
      ? `More than ${named.length} ${plural} match on ${matchOn}, among them `
      : `${named.length} ${plural} match on ${matchOn}: `
  return conflict('ambiguous_match', `${many}${named.join(', ')}. Update one of them by its id`)
}
