import type { NameLevel } from '../matcher/names/comparison.ts'
import type { ExternalIds } from './traits.ts'

/** Whether something is so of two records, whichever comes first; `names`: how theirs compare, if both have one. */
type Holds<Traits> = (one: Traits, other: Traits, names: NameLevel | undefined) => boolean

type Level = NameLevel | undefined

const alike: ReadonlySet<Level> = new Set(['exact', 'equivalent', 'close'])
const contradicting: ReadonlySet<Level> = new Set(['partial', 'distinct'])

/** One name, perhaps written in two ways. */
export const areAlike = (names: Level): boolean => alike.has(names)

/** Two names. */
export const contradict = (names: Level): boolean => contradicting.has(names)

/** A reason to take two records for one, that a person can check. */
export type Rule<Traits> = {
  name: string
  /** Whether it suffices to merge the two by itself, or only to show them to a person. */
  outcome: 'auto' | 'review'
  /** Set where the two may be merged only while no third record could be meant as well. */
  alone?: true
  holds: Holds<Traits>
}

/** What keeps two records apart whatever else they have in common. */
export type Veto<Traits> = {
  /** What is said of the two, in words. */
  words: string
  /** Whether a person may still be asked, or it is out of the question. */
  most: 'review' | 'none'
  holds: Holds<Traits>
}

export const shares = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  !one.isDisjointFrom(other)

/** Both have some, and none in common. */
export const differ = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size > 0 && other.size > 0 && one.isDisjointFrom(other)

export const shareExternalId = (one: ExternalIds, other: ExternalIds): boolean =>
  holdsInASystem(one, other, shares)

const differInExternalId = (one: ExternalIds, other: ExternalIds): boolean =>
  holdsInASystem(one, other, differ)

function holdsInASystem(one: ExternalIds, other: ExternalIds, holds: typeof shares): boolean {
  for (const [system, ids] of one) {
    const theirs = other.get(system)
    if (theirs && holds(ids, theirs)) return true
  }
  return false
}

/** In one system, two ids are two records until somebody says otherwise. */
export const differentExternalIds: Veto<{ externalIds: ExternalIds }> = {
  words: 'they have different ids in the same external system',
  most: 'review',
  holds: (one, other) => differInExternalId(one.externalIds, other.externalIds),
}
