import { isDeepStrictEqual } from 'node:util'
import type { EventType } from '../events/catalog.ts'
import { recordEventForEach, recordEvents } from '../events/record.ts'
import { anyUuid } from '../platform/db/any-uuid.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { inSlices, mapInSlices } from '../platform/slices.ts'
import { saveMergedExternalIds } from './clusters/absorbed.ts'
import type { Write } from './clusters/attribution.ts'
import { attributingWrite, type SentWrite, writeOf } from './clusters/attribution.ts'
import type { Cluster } from './clusters/cluster.ts'
import { nextSeqs, saveFacts } from './clusters/store.ts'
import { fieldOf } from './field-names.ts'
import { type FoundRecord, reloadRecords } from './find.ts'
import { writeKeys } from './keys.ts'
import { writeLinks } from './links.ts'
import { namesOf } from './names.ts'
import type { RecordType, StoredColumns, StoredRecord } from './record-type.ts'
import { canReturn, foundIn, type RunWrite, returning } from './returning.ts'
import { asJson, asRows, columnList } from './row-json.ts'
import { nextUpdatedAt } from './updated-at.ts'

/**
 * A change of a locked record. `write` is the sent write, or the new cluster if the caller changed the facts. Without a
 * cluster, only `state` is used.
 */
type Update = { stored: StoredRecord; state: StoredColumns; write: SentWrite | Write | Cluster }

type UpdateOptions = { event?: 'updated' | 'closed' | 'reopened'; skipDuplicateCheck?: boolean }

/**
 * Stores changed columns, and updates the versions of the locked records. A record with the same columns gets no
 * version and no event.
 * @param options the name of the event; `skipDuplicateCheck` if a scan compares the records
 */
export async function updateRecords(
  tx: OrgTx,
  type: RecordType,
  updates: readonly Update[],
  options: UpdateOptions = {},
): Promise<void> {
  await storeUpdates(tx, type, updates, options, (update) => tx.run(update))
}

/** Does the same as `updateRecords` for one record. @returns the record as answers show it */
export async function updateShown(tx: OrgTx, type: RecordType, update: Update): Promise<FoundRecord> {
  return foundIn(await updateAllShown(tx, type, [update]), update.stored.recordId)
}

/** Does the same as `updateRecords`. @returns the records as answers show them */
export async function updateAllShown(
  tx: OrgTx,
  type: RecordType,
  updates: readonly Update[],
): Promise<ReadonlyMap<string, FoundRecord>> {
  // The hidden external ids of a merged record are written by a statement of their own.
  const returns = canReturn(tx, type) && updates.every(({ stored }) => !stored.wasMerged && !stored.cluster)
  const written = await storeUpdates(tx, type, updates, {}, returning(tx, type, returns))
  const unchanged = updates.map(({ stored }) => stored.recordId).filter((id) => !written?.has(id))
  if (unchanged.length === 0) return written ?? new Map()
  return new Map([...(written ?? []), ...(await reloadRecords(tx, type, unchanged))])
}

/** @returns the result of `runUpdate`; null if no record changes */
async function storeUpdates<Result>(
  tx: OrgTx,
  type: RecordType,
  updates: readonly Update[],
  { event = 'updated', skipDuplicateCheck = false }: UpdateOptions,
  runUpdate: RunWrite<Result>,
): Promise<Result | null> {
  const { orgId } = tx
  const earlier = updates.map(({ stored }) => ({ stored, before: stored.state }))
  await resolveStored(tx, type, updates)
  const written = await mapInSlices(tx.payerId, earlier, ({ stored, before }) => {
    const columns = changedColumns(type, before, stored.state)
    // The aliases of a merged record can change even if no column does.
    const otherAliases = !isSame('aliases', before.aliases, stored.state.aliases)
    if (columns.length > 0 || otherAliases) stored.version += 1
    return { recordId: stored.recordId, before, state: stored.state, columns, otherAliases }
  })
  const changed = written.filter(({ columns, otherAliases }) => columns.length > 0 || otherAliases)
  if (changed.length === 0) return null
  const moves = changed.map(({ recordId, before, state }) => ({ recordId, before, after: state }))
  const rewritten = columnsToWrite(type, changed)
  const { table, id } = namesOf(type)
  const search = rewritten.search ? ['search'] : []
  const set = rawSql([...search, ...rewritten.columns].map((column) => `, ${column} = w.${column}`).join(''))
  const changedIds = changed.map(({ recordId }) => recordId)
  const json = await asJson(tx, type, changed, rewritten)
  const [result] = await Promise.all([
    runUpdate(sql`
      update ${table} r set version = r.version + 1, updated_at = ${nextUpdatedAt('r')}${set}
      from ${asRows(type, json, rewritten.columns)}
      where r.org_id = ${orgId} and r.${id} = w.record_id and r.${id} = ${anyUuid(changedIds)}`),
    writeKeys(tx, type, moves, skipDuplicateCheck),
    writeLinks(tx, type, moves),
    saveMergedExternalIds(
      tx,
      type,
      changed.filter(({ otherAliases }) => otherAliases),
    ),
    recordEvents(
      tx,
      changed.map(({ recordId, columns, otherAliases }) => ({
        // The cast is safe: only deals are closed and reopened.
        type: `${type.entity}.${event}` as EventType,
        objectId: recordId,
        changed: [...fieldsOf(type, columns), ...(otherAliases ? ['merged_external_ids'] : [])],
      })),
    ),
  ])
  return result
}

/** Sets the new columns, and stores the facts of each write for clusters. */
async function resolveStored(tx: OrgTx, type: RecordType, updates: readonly Update[]): Promise<void> {
  const merged = updates.filter(({ stored }) => stored.cluster)
  const seqs = (await nextSeqs(tx, merged.length)).values()
  const clusters: { before: Cluster; after: Cluster }[] = []
  for (const { stored, state, write } of updates) {
    const before = stored.cluster
    if (!before) {
      stored.state = state
      continue
    }
    if ('members' in write) {
      Object.assign(stored, { state, cluster: write })
      clusters.push({ before, after: write })
      continue
    }
    const fullWrite = 'columns' in write ? write : writeOf(type, before, write, stored.state, state)
    const attributing = attributingWrite(type, before, fullWrite, state, seqs.next().value ?? 0)
    const after = await inSlices(tx.payerId, attributing)
    Object.assign(stored, after)
    clusters.push({ before, after: after.cluster })
  }
  await saveFacts(tx, type, clusters)
}

/**
 * For one record: all columns, so that the statement can be prepared. For many: the columns that change in any record.
 */
function columnsToWrite(
  type: RecordType,
  changed: readonly { before: StoredColumns; state: StoredColumns; columns: readonly string[] }[],
): { columns: string[]; search: boolean } {
  if (changed.length === 1) return { columns: columnList(type), search: true }
  const differing = new Set(changed.flatMap(({ columns }) => columns))
  const columns = columnList(type).filter((column) => differing.has(column))
  const search = changed.some(
    ({ before, state }) => !isDeepStrictEqual(type.searchable(before), type.searchable(state)),
  )
  return { columns, search }
}

/** The fields whose columns differ. */
export const changedFields = (type: RecordType, before: StoredColumns, after: StoredColumns): string[] =>
  fieldsOf(type, changedColumns(type, before, after))

const fieldsOf = (type: RecordType, columns: readonly string[]): string[] => [
  ...new Set(columns.map((column) => fieldOf(type, column))),
]

function changedColumns(type: RecordType, before: StoredColumns, after: StoredColumns): string[] {
  const columns = [...columnList(type), ...type.links.map(({ rawColumn }) => rawColumn)]
  return columns.filter((column) => !isSame(column, before[column], after[column]))
}

/** The order of keys of an object matters only in `custom`. */
const isSame = (column: string, before: unknown, after: unknown) =>
  before === after ||
  (column === 'custom' ? JSON.stringify(before) === JSON.stringify(after) : isDeepStrictEqual(before, after))

/** Records that already have the status are skipped. */
export async function setArchived(
  tx: OrgTx,
  type: RecordType,
  records: readonly StoredRecord[],
  archived: boolean,
): Promise<void> {
  const status = archived ? 'archived' : 'active'
  const archivedAt = archived ? nextUpdatedAt('t') : sql`null`
  const { table, id } = namesOf(type)
  const changing = records.filter((stored) => stored.status !== status)
  if (changing.length === 0) return
  const recordIds = changing.map(({ recordId }) => recordId)
  for (const stored of changing) Object.assign(stored, { status, version: stored.version + 1 })
  await Promise.all([
    tx.run(sql`
      update ${table} t
      set status = ${status}, version = version + 1, updated_at = ${nextUpdatedAt('t')}, archived_at = ${archivedAt}
      where org_id = ${tx.orgId} and ${id} = any(${recordIds}::uuid[])`),
    writeKeys(
      tx,
      type,
      changing.map(({ recordId, state }) =>
        archived ? { recordId, before: state, after: null } : { recordId, before: null, after: state },
      ),
    ),
    recordEventForEach(tx, `${type.entity}.${archived ? 'archived' : 'restored'}`, recordIds),
  ])
}
