import type { EntityType } from '../../matching/entity-type.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { inSlices } from '../../platform/slices.ts'
import { readCanonicalIds } from '../../records/canonical.ts'
import { readRecords } from '../../records/lock.ts'
import type { RecordType, StoredRecord } from '../../records/record-type.ts'
import { type CanonicalRecord, makingCanonicalRecords } from '../engine/canonical-records.ts'
import { readCompared } from '../engine/compared-records.ts'
import { decidePrepared, needsDecision } from '../engine/decide.ts'
import { readDecisionModel } from '../engine/decision-model.ts'
import { findKeySharers } from '../engine/find-key-sharers.ts'
import type { DecisionModel } from '../engine/judge.ts'
import { comparedWith } from '../engine/pair-limit.ts'
import { openProposals } from '../engine/proposals.ts'
import { recordTypes } from '../entities.ts'

// How many keys are looked up at once. A key can find 30 records with 50 addresses and 50 numbers each, so more keys
// would need too much memory.
const keysAtOnce = 500
/** How many records are read at once, which takes a few milliseconds. */
const readAtOnce = 100

/**
 * Checks changed records, and decides about their candidates. A record without candidates and open proposals needs no
 * lock and no write. For an absorbed record, the canonical record is checked.
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
  const proposed = new Set(
    [...proposalsOfRecords, ...proposalsOfRoots].flatMap((each) => [each.survivor_id, each.loser_id]),
  )
  const byId = new Map([...found, ...canonical].map((record) => [record.recordId, record]))
  const checks = recordIds.map((recordId): Checked => {
    const rootId = roots.get(recordId) ?? recordId
    const root = byId.get(rootId)
    const isProposed = proposed.has(recordId) || proposed.has(rootId)
    return { recordId, rootId, root: root?.status === 'active' ? root : null, isProposed }
  })
  const skipped = new Set<string>()
  for (const lot of lotsOf(type, checks)) {
    const groups = await groupsOf(tx, entityType, model, lot)
    if (groups.byRecord.size === 0) continue
    const prepared = {
      matcher: model.matcher,
      records: groups.records,
      groups: [...groups.byRecord.values()],
    }
    const left = new Set(await decidePrepared(tx, entityType, prepared, jobs, mayMerge))
    for (const [recordId, group] of groups.byRecord) if (left.has(group)) skipped.add(recordId)
  }
  return skipped
}

/** `root` is null if the record is not active. */
type Checked = { recordId: string; rootId: string; root: StoredRecord | null; isProposed: boolean }

/** Divides the records into batches with about 500 keys each. */
function* lotsOf(type: RecordType, checks: readonly Checked[]): Generator<Checked[], void> {
  let lot: Checked[] = []
  let keys = 0
  for (const check of checks) {
    lot.push(check)
    if (check.root) keys += type.keys(check.root.state).length
    if (keys < keysAtOnce) continue
    yield lot
    lot = []
    keys = 0
  }
  if (lot.length > 0) yield lot
}

/** Returns a group for each record with its candidates, and the records of all groups. */
async function groupsOf(
  tx: OrgTx,
  entityType: EntityType,
  model: DecisionModel,
  lot: readonly Checked[],
): Promise<{ byRecord: Map<string, string[]>; records: Map<string, CanonicalRecord> }> {
  const active = new Map(lot.flatMap(({ rootId, root }) => (root ? [[rootId, root] as const] : [])))
  const sharersOf = await findKeySharers(tx, entityType, [...active.values()])
  const others = [...new Set([...sharersOf.values()].flat())].filter((id) => !active.has(id))
  const records = new Map<string, CanonicalRecord>()
  const prepare = async (stored: readonly StoredRecord[]) => {
    const making = makingCanonicalRecords(entityType, stored, model.matcher)
    for (const record of await inSlices(tx.payerId, making)) records.set(record.rootId, record)
  }
  await prepare([...active.values()])
  for (let at = 0; at < others.length; at += readAtOnce)
    await prepare(await readCompared(tx, entityType, others.slice(at, at + readAtOnce)))
  const byRecord = new Map<string, string[]>()
  for (const { recordId, rootId, isProposed } of lot) {
    const record = records.get(rootId)
    const sharers = (sharersOf.get(rootId) ?? []).flatMap((id) => records.get(id) ?? [])
    const related = record
      ? await inSlices(tx.payerId, findingRelated(entityType, model, record, sharers))
      : []
    if (isProposed || related.length > 0)
      byRecord.set(recordId, [...new Set([recordId, rootId, ...related.map((other) => other.rootId)])])
  }
  return { byRecord, records }
}

/** The records that the engine would merge with `record`, or propose. The caller can pause at each `yield`. */
function* findingRelated(
  entityType: EntityType,
  model: DecisionModel,
  record: CanonicalRecord,
  others: readonly CanonicalRecord[],
): Generator<undefined, CanonicalRecord[]> {
  const related: CanonicalRecord[] = []
  for (const other of comparedWith(record, others))
    if (yield* needsDecision(entityType, model, record, other)) related.push(other)
  return related
}
