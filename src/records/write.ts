import { isDeepStrictEqual } from 'node:util'
import { v7 } from 'uuid'
import type { EventType } from '../events/catalog.ts'
import { type Actor, recordEventForEach, recordEvents } from '../events/record.ts'
import { anyOf } from '../platform/db/any-of.ts'
import type { Tx } from '../platform/db/tx.ts'
import { timeOf } from '../platform/db/uuid-time.ts'
import { attributed, type Sent, writeOf } from './clusters/attribution.ts'
import type { Write } from './clusters/facts.ts'
import { nextSeqs, saveFacts } from './clusters/store.ts'
import { fieldOf } from './field-names.ts'
import { writeKeys } from './keys.ts'
import { writeLinks } from './links.ts'
import type { Stored } from './lock.ts'
import type { RecordType, State } from './record-type.ts'
import { searchVector } from './search.ts'
import { touched } from './touched.ts'

type Written = { recordId: string; state: State }

const columnList = (type: RecordType) => Object.keys(type.columns)

/** The rows of $2 as a table `r` with columns of a record: all, unless some are named. */
export function asRows(type: RecordType, names: readonly string[] = columnList(type)): string {
  const columns = names.map((column) => `${column} ${type.columns[column]}`)
  return `json_to_recordset($2) as r (${['record_id uuid', 'search tsvector', 'created_ms bigint', ...columns].join(', ')})`
}

/** Records as the JSON of $2: their columns, when they were made, and, with `search`, what `q` finds them by. */
export function asJson(
  orgId: string,
  type: RecordType,
  records: readonly Written[],
  { columns = columnList(type), search = true }: { columns?: readonly string[]; search?: boolean } = {},
): string {
  const rows = records.map(({ recordId, state }) => {
    const row: State = { record_id: recordId, created_ms: timeOf(recordId) }
    if (search) row.search = searchVector(orgId, type, state)
    // What is left out reads as null, and PostgreSQL has less to parse.
    for (const column of columns) if (state[column] !== null) row[column] = state[column]
    return row
  })
  return JSON.stringify(rows)
}

/** Stores new records with their keys and events, in one round trip; their ids, in order. */
export async function insertRecords(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  states: readonly State[],
  importId: string | null = null,
): Promise<string[]> {
  const { orgId } = actor
  const records = states.map((state) => ({ recordId: v7(), state }))
  const changes = records.map(({ recordId, state }) => ({ recordId, before: null, after: state }))
  const columns = columnList(type)
  const created = 'to_timestamp(r.created_ms / 1000.0)'
  await Promise.all([
    tx.run({
      text: `
        insert into ${type.entity} (org_id, ${type.idField}, search, import_id, created_at, updated_at, ${columns.join(', ')})
        select $1, r.record_id, r.search, $3, ${created}, ${created}, ${columns.map((column) => `r.${column}`).join(', ')}
        from ${asRows(type)}`,
      values: [orgId, asJson(orgId, type, records), importId],
    }),
    writeKeys(tx, orgId, type, changes, importId !== null),
    writeLinks(tx, orgId, type, changes),
    recordEventForEach(
      tx,
      actor,
      `${type.entity}.created`,
      records.map(({ recordId }) => recordId),
    ),
  ])
  return records.map(({ recordId }) => recordId)
}

/** What becomes of a locked record; `said` tells which id a writer named, and what was said of it. */
type Update = { stored: Stored; state: State; said: Sent | Write }

/**
 * Stores changed columns; no effect (no version, no event) for a record whose columns are as they were. What was locked
 * shows then what is stored.
 * @param options what happened to the records that change; `laterChecked` if the next scan looks at them for duplicates
 */
export async function updateRecords(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  updates: readonly Update[],
  {
    event = 'updated',
    laterChecked = false,
  }: { event?: 'updated' | 'closed' | 'reopened'; laterChecked?: boolean } = {},
): Promise<void> {
  const { orgId } = actor
  const before = updates.map(({ stored }) => stored.state)
  await settleStates(tx, orgId, type, updates)
  const written = updates.map(({ stored }, index) => ({
    recordId: stored.recordId,
    before: before[index]!,
    state: stored.state,
    columns: changedColumns(type, before[index]!, stored.state),
  }))
  const changed = written.filter(({ columns }) => columns.length > 0)
  // An id that leads to a merged record without being shown may come or go where nothing else changes.
  const hasMoved = written.filter(
    ({ columns, before, state }) => columns.length > 0 || !isSame('aliases', before.aliases, state.aliases),
  )
  const moves = hasMoved.map(({ recordId, before, state }) => ({ recordId, before, after: state }))
  if (changed.length === 0) return writeKeys(tx, orgId, type, moves, laterChecked)
  const rewritten = rewrittenBy(type, changed)
  const search = rewritten.search ? ['search'] : []
  await Promise.all([
    tx.run({
      text: `
        update ${type.entity} t
        set version = t.version + 1, updated_at = ${touched('t')}
          ${[...search, ...rewritten.columns].map((column) => `, ${column} = r.${column}`).join('')}
        from ${asRows(type, rewritten.columns)}
        where t.org_id = $1 and t.${type.idField} = r.record_id and t.${type.idField} = ${anyOf('$3')}`,
      values: [orgId, asJson(orgId, type, changed, rewritten), changed.map(({ recordId }) => recordId)],
    }),
    writeKeys(tx, orgId, type, moves, laterChecked),
    writeLinks(tx, orgId, type, moves),
    recordEvents(
      tx,
      actor,
      changed.map(({ recordId, columns }) => ({
        // Deals alone are closed and reopened.
        type: `${type.entity}.${event}` as EventType,
        objectId: recordId,
        changed: fieldsOf(type, columns),
      })),
    ),
  ])
}

/** Gives locked records what they come to show; of those that were ever merged, it keeps who said what. */
async function settleStates(
  tx: Tx,
  orgId: string,
  type: RecordType,
  updates: readonly Update[],
): Promise<void> {
  const merged = updates.filter(({ stored }) => stored.cluster)
  const seqs = await nextSeqs(tx, merged.length)
  const clusters = merged.map(({ stored, state, said }, index) => {
    const before = stored.cluster!
    const write = 'columns' in said ? said : writeOf(type, before, said, stored.state, state)
    Object.assign(stored, attributed(type, before, write, stored.state, state, seqs[index]!))
    return { before, after: stored.cluster! }
  })
  for (const { stored, state } of updates) if (!stored.cluster) stored.state = state
  await saveFacts(tx, orgId, type, clusters)
}

/**
 * The columns to be written: all of one record, which every change of it can be prepared for; of many at once, those that
 * change in any, as most are only read and sent back otherwise.
 */
function rewrittenBy(
  type: RecordType,
  changed: readonly { before: State; state: State; columns: readonly string[] }[],
): { columns: string[]; search: boolean } {
  if (changed.length === 1) return { columns: columnList(type), search: true }
  const differing = new Set(changed.flatMap(({ columns }) => columns))
  const columns = columnList(type).filter((column) => differing.has(column))
  const search = changed.some(
    ({ before, state }) => !isDeepStrictEqual(type.searchable(before), type.searchable(state)),
  )
  return { columns, search }
}

/** Wire names of the fields whose columns differ. */
export const changedFields = (type: RecordType, before: State, after: State): string[] =>
  fieldsOf(type, changedColumns(type, before, after))

const fieldsOf = (type: RecordType, columns: readonly string[]): string[] => [
  ...new Set(columns.map((column) => fieldOf(type, column))),
]

function changedColumns(type: RecordType, before: State, after: State): string[] {
  const columns = [...columnList(type), ...type.links.map(({ rawColumn }) => rawColumn)]
  return columns.filter((column) => !isSame(column, before[column], after[column]))
}

/** `custom` is kept as it was written; elsewhere the order of keys says nothing. */
const isSame = (column: string, before: unknown, after: unknown) =>
  before === after ||
  (column === 'custom' ? JSON.stringify(before) === JSON.stringify(after) : isDeepStrictEqual(before, after))

/** Archives an active record, or brings an archived one back; no effect if it is so already. */
export async function setArchived(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  records: readonly Stored[],
  archived: boolean,
): Promise<void> {
  const status = archived ? 'archived' : 'active'
  const changing = records.filter((stored) => stored.status !== status)
  if (changing.length === 0) return
  const recordIds = changing.map(({ recordId }) => recordId)
  await Promise.all([
    tx.run({
      text: `
        update ${type.entity} t
        set status = $3, version = version + 1, updated_at = ${touched('t')},
          archived_at = case when $3 = 'archived' then ${touched('t')} end
        where org_id = $1 and ${type.idField} = any($2::uuid[])`,
      values: [actor.orgId, recordIds, status],
    }),
    writeKeys(
      tx,
      actor.orgId,
      type,
      changing.map(({ recordId, state }) =>
        archived ? { recordId, before: state, after: null } : { recordId, before: null, after: state },
      ),
    ),
    recordEventForEach(tx, actor, `${type.entity}.${archived ? 'archived' : 'restored'}`, recordIds),
  ])
}
