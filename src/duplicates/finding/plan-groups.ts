import type { Stored } from '../../records/lock.ts'
import { judge } from '../deciding/judge.ts'
import { shippedMatcher } from '../deciding/judging.ts'
import { type Plan, planFor } from '../deciding/plan.ts'
import { type Subject, subjectOf } from '../deciding/subjects.ts'
import type { EntityType } from '../entities.ts'
import type { Settings } from '../settings.ts'

/** Groups of records, and all that is needed to say what follows from comparing those of each. */
export type Grouped = {
  entityType: EntityType
  settings: Settings
  /** How many records of the kind the org has. */
  total: number
  stored: readonly Stored[]
  groups: readonly string[][]
  /** Pairs that somebody said to be different (`pairName`). */
  different: ReadonlySet<string>
  /** How many records name each, by id. */
  children: ReadonlyMap<string, number>
}

/** What follows from comparing the records of each group with one another, in the order of the groups. Pure. */
export function planGroups(grouped: Grouped): Plan[] {
  const { entityType, settings, total, stored, groups, different, children } = grouped
  const judging = { settings, ...shippedMatcher(entityType, total) }
  const subjects = new Map(
    stored.map((each) => [each.recordId, subjectOf(entityType, each, judging.matcher)] as const),
  )
  return groups.map((group) => {
    const members = group.map((id) => subjects.get(id)).filter((each): each is Subject => each !== undefined)
    if (members.length < 2) return { merges: [], shadows: [] }
    return planFor({
      subjects: members,
      judge: (one, other) => judge(entityType, judging, one.portrait, other.portrait),
      different,
      children,
    })
  })
}
