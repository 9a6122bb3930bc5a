import { conflict, type DomainError } from '../../platform/domain-error.ts'
import { requireVersion } from '../../platform/http/if-match.ts'
import { requireActive } from '../change.ts'
import { unknownRecord } from '../lock.ts'
import { candidatesMax, isMatch } from '../match.ts'
import type { OrgDefaults, RecordType, Stored } from '../record-type.ts'
import { attempt, type Draft, type Failed, type Plan } from './item.ts'

/**
 * Plans the items of `batch` up to the first one that writes a record which an earlier item changes, or that may match
 * a key which an earlier item shows again.
 * @param found the records of each target of `batch`; those of the planned items are removed
 */
export function draftUntilConflict(
  type: RecordType,
  batch: readonly (Plan | Failed)[],
  found: Stored[][],
  orgDefaults: OrgDefaults,
): (Draft | Failed)[] {
  const changed = new Set<Stored>()
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
    // An earlier write may have archived the record, or replaced the external id by which it was found.
    const candidates = isMatched ? records.filter((stored) => isMatch(type, target, stored)) : records
    const [only, ...others] = candidates
    if (only && others.length === 0) changed.add(only)
    const drafted = draftItem(type, each, candidates, orgDefaults)
    showsKeys ||= mayShowKeys(drafted)
    drafts.push(drafted)
  }
  return drafts
}

/**
 * Whether a write may give a record keys that its item does not send: those of an archived record, or those that a
 * merged record hid.
 */
export function mayShowKeys(drafted: Draft | Failed): boolean {
  if (drafted.outcome === 'failed' || !drafted.stored) return false
  const { action, target, stored } = drafted
  return action === 'restore' || (target !== null && 'recordId' in target && stored.cluster !== null)
}

/** What an item writes to the one of `candidates`; without any, a new record. */
export function draftItem(
  type: RecordType,
  plan: Plan,
  candidates: readonly Stored[],
  orgDefaults: OrgDefaults,
): Draft | Failed {
  const { fresh, ...asked } = plan
  const { target, action, version, fields } = asked
  const [stored, ...others] = candidates
  return attempt(() => {
    if (target === null) return { ...asked, stored: null, state: fresh }
    if ('keys' in target) {
      if (!stored) return { ...asked, stored: null, state: fresh }
      if (others.length > 0) throw ambiguousMatch(type, target.matchOn, candidates)
    }
    if (!stored) throw unknownRecord(type)
    requireVersion(`this ${type.entity}`, version, stored.version, { named: 'The item names' })
    if (action !== 'change') return { ...asked, stored, state: stored.state }
    requireActive(type, stored)
    const state = type.apply(stored.state, fields, orgDefaults, 'keys' in target)
    type.check(stored.state, state, orgDefaults)
    return { ...asked, stored, state }
  })
}

function ambiguousMatch(type: RecordType, matchOn: string, candidates: readonly Stored[]): DomainError {
  const plural = type.path.slice(1)
  const named = candidates.slice(0, candidatesMax - 1).map(({ recordId }) => recordId)
  const many =
    named.length < candidates.length
      ? `More than ${named.length} ${plural} match on ${matchOn}, among them `
      : `${named.length} ${plural} match on ${matchOn}: `
  return conflict('ambiguous_match', `${many}${named.join(', ')}. Update one of them by its id`)
}
