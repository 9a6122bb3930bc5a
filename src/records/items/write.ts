import { onAllRecords } from '../../platform/db/limited-records.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { inSlices, mapInSlices } from '../../platform/slices.ts'
import { readOrgDefaults } from '../create.ts'
import { lockDefinitionsShared } from '../defined-fields/definition.ts'
import { withUniqueKeys } from '../defined-fields/unique-keys.ts'
import { customKey } from '../filters/custom.ts'
import type { NewRecord, RecordType } from '../record-type.ts'
import { namesReference, resolveReferences } from '../references.ts'
import { findTargets, lockTargets, readTargets } from '../targets.ts'
import { changedFields } from '../write.ts'
import { draftItem, draftingUntilConflict, mayShowKeys } from './draft.ts'
import { catchItemError, type Failed, type Item, type Plan, type Written } from './item.ts'
import { longestIndependentPrefix, planItem, targetsOf } from './plan.ts'
import { storeDrafts } from './store.ts'

/**
 * Writes items in few statements, with the same result as one after another.
 * @param importId the import that creates the records
 * @returns the result of each item
 */
export async function writeItems(
  tx: OrgTx,
  plainType: RecordType,
  items: readonly Item[],
  importId: string | null = null,
): Promise<(Written | Failed)[]> {
  const inputs = items.map(({ fields }) => fields)
  const orgDefaults = await readOrgDefaults(tx, plainType, inputs)
  const type = withUniqueKeys(plainType, orgDefaults.definitions ?? [])
  const plans = await mapInSlices(tx.payerId, items, (item) =>
    catchItemError(() => planItem(type, item, orgDefaults)),
  )
  await type.named?.resolve(tx, writesOf(plans), importId)
  await lockNamed(tx, type, plans)
  await onAllRecords(tx, () => lockTargets(tx, type, targetsOf(plans)))
  const results: (Written | Failed)[] = []
  while (results.length < plans.length) {
    const batch = longestIndependentPrefix(type, plans.slice(results.length))
    // A limited member gets a conflict for a match that is not visible, instead of a second record.
    const found = await onAllRecords(tx, () => findTargets(tx, type, targetsOf(batch)))
    for (let written = 0; written < batch.length; ) {
      const drafting = draftingUntilConflict(type, batch.slice(written), found, orgDefaults)
      const drafts = await inSlices(tx.payerId, drafting)
      results.push(...(await storeDrafts(tx, type, drafts, orgDefaults, importId)))
      written += drafts.length
      if (drafts.some(mayShowKeys)) break
    }
  }
  return results
}

/** Returns the results of `writeItems` for each item alone. Nothing is written or locked. */
export async function previewItems(
  tx: OrgTx,
  plainType: RecordType,
  items: readonly Item[],
): Promise<('created' | 'updated' | 'unchanged' | Failed)[]> {
  // The fields name owners by id and address already.
  const { owners: _, ...defaults } = await readOrgDefaults(tx, plainType, [])
  const matchesCustom = items.some((item) => 'matchOn' in item && customKey(item.matchOn ?? '') !== null)
  const definitions = matchesCustom ? await lockDefinitionsShared(tx, plainType.entity) : []
  const type = withUniqueKeys(plainType, definitions)
  const orgDefaults = { ...defaults, definitions }
  const plans = items.map((item) => catchItemError(() => planItem(type, item, orgDefaults)))
  const found = await onAllRecords(tx, () => readTargets(tx, type, targetsOf(plans)))
  return plans.map((each) => {
    if (each.outcome === 'failed' || !each.target) return each.outcome === 'failed' ? each : 'created'
    const candidates = found.shift() ?? []
    const drafted = draftItem(type, each, candidates, orgDefaults)
    if (drafted.outcome === 'failed') return drafted
    const { stored, state } = drafted
    if (!stored) return 'created'
    return changedFields(type, stored.state, state).length > 0 ? 'updated' : 'unchanged'
  })
}

const writesOf = (plans: readonly (Plan | Failed)[]): NewRecord[] =>
  plans.flatMap((each) =>
    each.outcome === null && each.action === 'change' ? [{ fields: each.fields, state: each.fresh }] : [],
  )

/** Lock references before records, as merges do: another order could deadlock. */
async function lockNamed(tx: OrgTx, type: RecordType, plans: readonly (Plan | Failed)[]): Promise<void> {
  if (targetsOf(plans).length === 0) return
  const naming = plans.flatMap((each) =>
    each.outcome === null && namesReference(type, each.fields) ? [each.fresh] : [],
  )
  await resolveReferences(tx, type, naming)
}
