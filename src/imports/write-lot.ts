import type { OrgTx } from '../platform/db/org-tx.ts'
import { parseUuid } from '../platform/http/parse-uuid.ts'
import { readCanonicalIds } from '../records/canonical.ts'
import { lockDefinitionsShared } from '../records/defined-fields/definition.ts'
import { findTakenValues } from '../records/defined-fields/unique-values.ts'
import { insertRecords } from '../records/insert.ts'
import type { Item } from '../records/items/item.ts'
import { previewItems, writeItems } from '../records/items/write.ts'
import { foundByName } from '../records/named-references.ts'
import { resolveOwners } from '../records/owners/resolve-owners.ts'
import type { RecordType } from '../records/record-type.ts'
import { resolveReferences } from '../records/references.ts'
import { changeOf, type RowChange, saveChanges } from './changes.ts'
import type { Column } from './columns.ts'
import { type PreparedRow, type PreparedRows, type RowRefusal, refusedRow } from './prepare.ts'
import type { RowCounts } from './progress.ts'
import { saveRefusals } from './refusals.ts'

/** The import that a lot belongs to, and its options. */
export type LotContext = {
  type: RecordType
  importId: string
  /** The file. The reasons of refused rows name its columns. */
  table: { columns: readonly Column[] }
  /** The key by which rows match existing records. undefined: each row creates a record. */
  matchOn?: string | undefined
  /** Whether to refuse and count rows without writing records. */
  dryRun?: boolean
}

/** Stores the rows of a lot, and the reasons of refused rows. Returns the counts of its rows. */
export async function writeLot(tx: OrgTx, lotOf: LotContext, prepared: PreparedRows): Promise<RowCounts> {
  const store = lotOf.matchOn === undefined ? create : lotOf.dryRun ? compare : upsert
  const { counts, refused } = await store(tx, lotOf, prepared.rows)
  const all = [...prepared.refused, ...refused]
  if (all.length > 0) await saveRefusals(tx, lotOf.importId, all)
  return { ...counts, refused: all.length, unreadable: countUnreadable(prepared.rows, refused) }
}

/** Counts the rows with unreadable values that were not refused. */
function countUnreadable(rows: readonly PreparedRow[], refused: readonly RowRefusal[]): number {
  const found = rows.filter(({ fields }) => 'email_raw' in fields || 'phone_raw' in fields)
  const lines = new Set(found.length === 0 ? [] : refused.map(({ line }) => line))
  return found.filter(({ line }) => !lines.has(line)).length
}

/** Writes the record with the row's id or key. */
const itemOf = ({ recordId, fields, state }: PreparedRow, matchOn: string | undefined): Item =>
  recordId === undefined
    ? { fields, matchOn, fresh: state }
    : { recordId, action: 'change', fields, additive: true }

type Stored = { counts: Omit<RowCounts, 'refused' | 'unreadable'>; refused: RowRefusal[] }

async function create(
  tx: OrgTx,
  { type, importId, table, dryRun = false }: LotContext,
  rows: readonly PreparedRow[],
): Promise<Stored> {
  const known = await ownRecords(tx, type, rows)
  if (known.length > 0) {
    const isKnown = new Set(known.map(({ line }) => line))
    const others = rows.filter(({ line }) => !isKnown.has(line))
    const { counts, refused } = await create(tx, { type, importId, table, dryRun }, others)
    return { counts, refused: [...known, ...refused] }
  }
  if (!dryRun) await type.named?.resolve(tx, rows, importId)
  await resolveOwners(
    tx,
    type,
    rows.map(({ state }) => state),
  )
  const unresolved = await resolveRows(tx, type, rows)
  const values = rows.map(({ state }, index) => ({
    recordId: null,
    before: null,
    after: unresolved[index] ? null : state,
  }))
  const definitions = await lockDefinitionsShared(tx, type.entity)
  const taken = await findTakenValues(tx, type, definitions, values, !dryRun)
  const problems = unresolved.map((problem, index) => problem ?? taken[index])
  const states = rows.flatMap(({ state }, index) => (problems[index] ? [] : [state]))
  if (states.length > 0 && !dryRun) await insertRecords(tx, type, states, importId)
  const refused = rows.flatMap(({ line }, index) =>
    problems[index] ? [refusedRow(line, problems[index], table.columns)] : [],
  )
  return { counts: { created: states.length, updated: 0, unchanged: 0 }, refused }
}

/** Resolves the references of rows. Returns for each row null, or an error that lists its unknown references. */
const resolveRows = (tx: OrgTx, type: RecordType, rows: readonly PreparedRow[]) =>
  resolveReferences(
    tx,
    type,
    rows.map(({ state }) => state),
    rows.map(({ fields, state }) => foundByName(type, fields, state)),
  )

/** Refuses rows of this organization's own export whose record still exists: they would become duplicates. */
async function ownRecords(tx: OrgTx, type: RecordType, rows: readonly PreparedRow[]): Promise<RowRefusal[]> {
  const named = rows.flatMap(({ line, fields }) => {
    const { crosswalk } = (fields.external_ids ?? {}) as Record<string, unknown>
    const recordId = typeof crosswalk === 'string' ? parseUuid(crosswalk) : null
    return typeof recordId === 'string' ? [{ line, recordId }] : []
  })
  if (named.length === 0) return []
  const ids = await readCanonicalIds(
    tx,
    type.entity,
    named.map(({ recordId }) => recordId),
  )
  const { entity, idField } = type
  return named.flatMap(({ line, recordId }) => {
    const id = ids.get(recordId)
    if (id === undefined) return []
    const reason = `The row is the ${entity} ${id}, which exists. To update it, import the file with the match key ${idField}`
    return [{ line, code: 'record_exists', reason } as const]
  })
}

/** Counts the rows of a dry run: changed, unchanged, and without a match. */
async function compare(
  tx: OrgTx,
  { type, importId, table, matchOn = '' }: LotContext,
  rows: readonly PreparedRow[],
): Promise<Stored> {
  await type.named?.resolve(tx, rows, importId, true)
  const items = rows.map((row) => itemOf(row, matchOn))
  const problems = await resolveRows(tx, type, rows)
  const outcomes = await previewItems(tx, type, items)
  const counts = { created: 0, updated: 0, unchanged: 0 }
  const refused: RowRefusal[] = []
  for (const [index, { line }] of rows.entries()) {
    const outcome = outcomes[index]
    const error = problems[index] ?? (typeof outcome === 'object' ? outcome.error : null)
    if (error) refused.push(refusedRow(line, error, table.columns))
    else if (typeof outcome === 'string') counts[outcome] += 1
  }
  return { counts, refused }
}

/** Gives the result of writing the rows one by one, in the order of the file. */
async function upsert(
  tx: OrgTx,
  { type, importId, table, matchOn }: LotContext,
  rows: readonly PreparedRow[],
): Promise<Stored> {
  const items = rows.map((row) => itemOf(row, matchOn))
  const results = (await writeItems(tx, type, items, importId)).values()
  const counts = { created: 0, updated: 0, unchanged: 0 }
  const changes: RowChange[] = []
  const refused: RowRefusal[] = []
  for (const { line } of rows) {
    const result = results.next().value
    if (!result) throw new Error('A row has no result')
    if (result.outcome === 'failed') refused.push(refusedRow(line, result.error, table.columns))
    else if (result.outcome === 'created') counts.created += 1
    else if (result.outcome === 'updated') {
      const change = changeOf(type, line, result)
      if (change) changes.push(change)
      counts[change ? 'updated' : 'unchanged'] += 1
    }
  }
  await saveChanges(tx, importId, changes)
  return { counts, refused }
}
