import type { EntityType } from '../../matching/entity-type.ts'
import type { Stored } from '../../records/record-type.ts'
import { canonicalRecordOf } from '../engine/canonical-records.ts'
import { defaultMatcher } from '../engine/decision-model.ts'
import { judge } from '../engine/judge.ts'
import { type Plan, planMerges } from '../engine/plan.ts'
import type { Settings } from '../settings.ts'

/** Groups of records, and everything that their plans depend on. */
export type GroupsInput = {
  entityType: EntityType
  settings: Settings
  /** How many records of this type the org has. */
  total: number
  stored: readonly Stored[]
  groups: readonly string[][]
  /** Pairs with the verdict `different` (`pairName`). */
  different: ReadonlySet<string>
  /** How many records refer to each record, by id. */
  referrers: ReadonlyMap<string, number>
}

/** The plan of each group, in the order of the groups. Pure. */
export function planGroups(input: GroupsInput): Plan[] {
  const { entityType, settings, total, stored, groups, different, referrers } = input
  const model = { settings, ...defaultMatcher(entityType, total) }
  const byId = new Map(
    stored.map((each) => [each.recordId, canonicalRecordOf(entityType, each, model.matcher)] as const),
  )
  return groups.map((group) => {
    const records = group.flatMap((id) => byId.get(id) ?? [])
    if (records.length < 2) return { merges: [], proposals: [] }
    return planMerges({
      records,
      judge: (one, other) => judge(entityType, model, one.comparable, other.comparable),
      different,
      referrers,
    })
  })
}
