import type { NameLevel } from '../../matching/names/comparison.ts'
import type { ExternalIds } from './comparable-record.ts'

/** A condition on two records, in either order. `names` says how their names compare, if both have one. */
type Holds<Traits> = (one: Traits, other: Traits, names: NameLevel | undefined) => boolean

type Level = NameLevel | undefined

const alikeLevels: ReadonlySet<Level> = new Set(['exact', 'equivalent', 'close'])
const contradictingLevels: ReadonlySet<Level> = new Set(['partial', 'distinct'])

/** The two names are the same, perhaps spelled differently. */
export const areNamesAlike = (names: Level): boolean => alikeLevels.has(names)

/** The two names belong to different people or companies. */
export const namesContradict = (names: Level): boolean => contradictingLevels.has(names)

/** A reason why two records are the same, that a person can check. */
export type Rule<Traits> = {
  name: string
  /** Whether the rule alone suffices to merge the two, or only to propose them. */
  outcome: 'auto' | 'review'
  /** Set if the rule may only merge two records while no third record could be meant. */
  onlyIfUnambiguous?: true
  holds: Holds<Traits>
}

/** A reason not to merge two records, whatever they share. */
export type Veto<Traits> = {
  /** The reason as answers show it. */
  words: string
  /** The strongest outcome that is still allowed. */
  maxOutcome: 'review' | 'none'
  holds: Holds<Traits>
}

export const haveCommonValue = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  !one.isDisjointFrom(other)

/** Both have values, and none in common. */
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

/** Two ids in one external system are two records, unless a person decides otherwise. */
export const differentExternalIds: Veto<{ externalIds: ExternalIds }> = {
  words: 'they have different ids in the same external system',
  maxOutcome: 'review',
  holds: (one, other) => differInExternalId(one.externalIds, other.externalIds),
}
