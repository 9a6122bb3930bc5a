import type { NameLevel } from '../../matching/names/comparison.ts'
import type { ExternalIds } from './comparable-record.ts'

/** A condition on two records, in either order. `names` is the comparison of their names, if both have one. */
type Condition<Traits> = (one: Traits, other: Traits, names: NameLevel | undefined) => boolean

type Level = NameLevel | undefined

const alikeLevels: ReadonlySet<Level> = new Set(['exact', 'equivalent', 'close'])
const contradictingLevels: ReadonlySet<Level> = new Set(['partial', 'distinct'])

/** Whether a comparison with this level means the same name, perhaps with different spellings. */
export const areNamesAlike = (names: Level): boolean => alikeLevels.has(names)

/** Whether a comparison with this level means names of different people or companies. */
export const namesContradict = (names: Level): boolean => contradictingLevels.has(names)

/** A reason why two records are the same, that a person can check. */
export type Rule<Traits> = {
  name: string
  /** `auto` if the rule alone suffices to merge the two records; `review` if a person must decide. */
  outcome: 'auto' | 'review'
  /** Set if the rule may merge two records only if it cannot mean a third one. */
  onlyIfUnambiguous?: true
  holds: Condition<Traits>
}

/** A reason not to merge two records, even if they share values. */
export type Veto<Traits> = {
  /** The text of the reason in answers. */
  words: string
  /** The strongest outcome that is still allowed. */
  maxOutcome: 'review' | 'none'
  holds: Condition<Traits>
}

export const haveCommonValue = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  !one.isDisjointFrom(other)

/** Whether both have values, and no common value. */
export const haveOnlyOtherValues = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size > 0 && other.size > 0 && one.isDisjointFrom(other)

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

/** Different ids in one external system mean two different records, unless a person decides otherwise. */
export const differentExternalIds: Veto<{ externalIds: ExternalIds }> = {
  words: 'they have different ids in the same external system',
  maxOutcome: 'review',
  holds: (one, other) => differInExternalId(one.externalIds, other.externalIds),
}
