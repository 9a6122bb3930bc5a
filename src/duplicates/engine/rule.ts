import type { NameLevel } from '../../matching/names/comparison.ts'
import type { ExternalIds } from './comparable-record.ts'

/** A condition on two records, in either order. `names` is the comparison of their names if both have one. */
type Condition<Traits> = (one: Traits, other: Traits, names: NameLevel | undefined) => boolean

type Level = NameLevel | undefined

const alikeLevels: ReadonlySet<Level> = new Set(['exact', 'equivalent', 'close'])
const contradictingLevels: ReadonlySet<Level> = new Set(['partial', 'distinct'])

/** Returns whether the level means the same name, perhaps spelled differently. */
export const areNamesAlike = (names: Level): boolean => alikeLevels.has(names)

/** Returns whether the level means two people or companies. */
export const namesContradict = (names: Level): boolean => contradictingLevels.has(names)

/** A reason to merge that a person can check. */
export type Rule<Traits> = {
  name: string
  /** `auto`: the rule alone is enough to merge. `review`: a person must decide. */
  outcome: 'auto' | 'review'
  /**
   * true: the rule does not merge A and B if it also holds for A and a third record whose names contradict those of B.
   */
  onlyIfUnambiguous?: true
  holds: Condition<Traits>
}

/** A reason not to merge two records, even if they share values. */
export type Veto<Traits> = {
  /** Why the veto applies. Of the strictest vetoes that apply, the text of the first is shown. */
  words: string
  /** The strongest outcome that the veto allows. */
  maxOutcome: 'review' | 'none'
  holds: Condition<Traits>
}

/** Returns whether a value is in both sets. */
export const haveCommonValue = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  !one.isDisjointFrom(other)

/** Returns whether both sets have values, but no common one. */
export const haveOnlyOtherValues = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size > 0 && other.size > 0 && one.isDisjointFrom(other)

/** Returns whether both records have the same id in one external system. */
export const shareExternalId = (one: ExternalIds, other: ExternalIds): boolean =>
  holdsInASystem(one, other, haveCommonValue)

const differInExternalId = (one: ExternalIds, other: ExternalIds): boolean =>
  holdsInASystem(one, other, haveOnlyOtherValues)

function holdsInASystem(one: ExternalIds, other: ExternalIds, holds: typeof haveCommonValue): boolean {
  for (const [system, ids] of one) {
    const theirs = other.get(system)
    if (theirs && holds(ids, theirs)) return true
  }
  return false
}

/** Two ids in one external system mean two records. A person can decide otherwise. */
export const differentExternalIds: Veto<{ externalIds: ExternalIds }> = {
  words: 'they have different ids in the same external system',
  maxOutcome: 'review',
  holds: (one, other) => differInExternalId(one.externalIds, other.externalIds),
}
