import type { EntityType } from '../../matching/entity-type.ts'
import type { Stored } from '../../records/record-type.ts'
import { type CanonicalRecord, canonicalRecordOf } from '../engine/canonical-records.ts'
import { defaultMatcher } from '../engine/decision-model.ts'
import { judge } from '../engine/judge.ts'
import { type Plan, planningMerges } from '../engine/plan.ts'
import type { Settings } from '../settings.ts'

/** Groups of records, and all data on which their plans depend. */
export type GroupsInput = {
  entityType: EntityType
  settings: Settings
  /** The number of records of this type that the org has. */
  total: number
  stored: readonly Stored[]
  groups: readonly string[][]
  /** Pairs with the verdict `different` (`pairName`). */
  different: ReadonlySet<string>
  /** The number of records that refer to each record, by id. */
  referrers: ReadonlyMap<string, number>
}

/** Plans each group in steps. Plans have the order of their groups. Pure. */
export function* planningGroups(input: GroupsInput): Generator<undefined, Plan[]> {
  const { entityType, settings, total, stored, groups, different, referrers } = input
  const model = { settings, ...defaultMatcher(entityType, total) }
  const byId = new Map<string, CanonicalRecord>()
  for (const each of stored) {
    byId.set(each.recordId, canonicalRecordOf(entityType, each, model.matcher))
    yield
  }
  const plans: Plan[] = []
  for (const group of groups) {
    const records = group.flatMap((id) => byId.get(id) ?? [])
    if (records.length < 2) plans.push({ merges: [], proposals: [] })
    else
      plans.push(
        yield* planningMerges({
          records,
          judge: (one, other) => judge(entityType, model, one.comparable, other.comparable),
          different,
          referrers,
        }),
      )
  }
  return plans
}
