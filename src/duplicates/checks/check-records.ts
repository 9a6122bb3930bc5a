import type { EntityType } from '../../matching/entity-type.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { readCanonicalIds } from '../../records/canonical.ts'
import { readRecords } from '../../records/lock.ts'
import { type CanonicalRecord, canonicalRecordOf } from '../engine/canonical-records.ts'
import { decidePrepared, needsDecision } from '../engine/decide.ts'
import { readDecisionModel } from '../engine/decision-model.ts'
import { findKeySharers } from '../engine/find-key-sharers.ts'
import { openProposals } from '../engine/proposals.ts'
import { recordTypes } from '../entities.ts'

/**
 * Checks changed records for duplicates, and decides about those that it finds. Most records have no possible duplicate and
 * no open proposal: these need no lock and no write. For an absorbed record it checks the canonical record.
 * @param mayMerge false: skip records that need a merge
 * @returns the ids of the skipped records
 */
export async function checkRecords(
  tx: OrgTx,
  entityType: EntityType,
  recordIds: readonly string[],
  jobs: Jobs,
  mayMerge: boolean,
): Promise<Set<string>> {
  const type = recordTypes[entityType]
  const [model, found, proposalsOfRecords] = await Promise.all([
    readDecisionModel(tx, entityType),
    readRecords(tx, type, recordIds),
    openProposals(tx, entityType, recordIds),
  ])
  const merged = found.filter(({ status }) => status === 'merged').map(({ recordId }) => recordId)
  const roots = merged.length > 0 ? await readCanonicalIds(tx, entityType, merged) : new Map<string, string>()
  const rootIds = [...new Set(roots.values())]
  const [canonical, proposalsOfRoots] =
    rootIds.length > 0
      ? await Promise.all([readRecords(tx, type, rootIds), openProposals(tx, entityType, rootIds)])
      : [[], []]
  const byId = new Map([...found, ...canonical].map((record) => [record.recordId, record]))
  const checked = [...byId.values()].filter(({ status }) => status === 'active')
  const { idsOf, records: others } = await findKeySharers(tx, entityType, checked)
  const sharers = others.filter(({ status }) => status === 'active')
  const records = new Map<string, CanonicalRecord>(
    [...checked, ...sharers].map((each) => [
      each.recordId,
      canonicalRecordOf(entityType, each, model.matcher),
    ]),
  )
  const proposed = new Set(
    [...proposalsOfRecords, ...proposalsOfRoots].flatMap((each) => [each.survivor_id, each.loser_id]),
  )
  const groups = new Map<string, string[]>()
  for (const recordId of recordIds) {
    const rootId = roots.get(recordId) ?? recordId
    const record = records.get(rootId)
    const related = (idsOf.get(rootId) ?? []).filter((id) => {
      const other = records.get(id)
      return record && other && needsDecision(entityType, model, record, other)
    })
    const isDone = related.length === 0 && !proposed.has(recordId) && !proposed.has(rootId)
    if (!isDone) groups.set(recordId, [...new Set([recordId, rootId, ...related])])
  }
  if (groups.size === 0) return new Set()
  const prepared = { matcher: model.matcher, records, groups: [...groups.values()] }
  const skipped = new Set(await decidePrepared(tx, entityType, prepared, jobs, mayMerge))
  return new Set([...groups].flatMap(([recordId, group]) => (skipped.has(group) ? [recordId] : [])))
}
