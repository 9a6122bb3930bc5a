import type { EntityType } from '../../matching/entity-type.ts'
import type { StoredRecord } from '../../records/record-type.ts'
import { makingCanonicalRecords } from '../engine/canonical-records.ts'
import { defaultMatcher } from '../engine/decision-model.ts'
import { judge } from '../engine/judge.ts'
import { type MergePlan, planMerges } from '../engine/plan.ts'
import type { EngineSettings } from '../settings.ts'

/** Groups of records, and the data that their plans depend on. */
export type GroupsInput = {
  entityType: EntityType
  settings: EngineSettings
  /** The number of records of this type in the org. */
  total: number
  stored: readonly StoredRecord[]
  groups: readonly string[][]
  /** The pairs with the verdict `different`, as `pairName` writes them. */
  different: ReadonlySet<string>
  referrers: ReadonlyMap<string, number>
}

/** Plans the groups one after another, in steps. A pure function. */
export function* planningGroups(input: GroupsInput): Generator<undefined, MergePlan[]> {
  const { entityType, settings, total, stored, groups, different, referrers } = input
  const model = { settings, ...defaultMatcher(entityType, total) }
  const canonical = yield* makingCanonicalRecords(entityType, stored, model.matcher)
  const byId = new Map(canonical.map((record) => [record.rootId, record]))
  const plans: MergePlan[] = []
  for (const group of groups) {
    const records = group.flatMap((id) => byId.get(id) ?? [])
    if (records.length < 2) plans.push({ merges: [], proposals: [] })
    else
      plans.push(
        yield* planMerges({
          records,
          judge: (one, other) => judge(entityType, model, one.comparable, other.comparable),
          different,
          referrers,
        }),
      )
  }
  return plans
}
