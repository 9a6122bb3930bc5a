import type { TextRow } from '../platform/db/json-columns.ts'
import type { Org } from '../platform/db/org.ts'
import { exactTotal, Filter, readPage } from '../platform/db/page.ts'
import type { Statement } from '../platform/db/statement.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import { refuse } from '../platform/http/fields.ts'
import type { ListQuery } from '../platform/http/list.ts'
import { type Detail, detailAt, ValidationError } from '../platform/http/validation.ts'
import { Json } from '../platform/json.ts'
import { unreadable } from './fields.ts'
import { keyHash } from './keys.ts'
import { unknownRecord } from './lock.ts'
import { movingFrom } from './moving.ts'
import type { RecordType, Surroundings } from './record-type.ts'
import { searchQuery } from './search.ts'

/** A record in its wire form. */
export type Found = { recordId: string; version: number; json: Json }

function findStatement(orgId: string, type: RecordType, recordId: string): Statement<TextRow> {
  const id = type.idField
  // No join: planned while the table is empty, it would read all of the org's records, and go on so with thousands.
  return {
    text: `
      select r.${id}, r.version, ${type.wire.sql}
      from ${type.entity} r
      where r.org_id = $1 and r.status <> 'erased'
        and r.${id} = (select coalesce(n.merged_into_id, n.${id}) from ${type.entity} n where n.org_id = $1 and n.${id} = $2)`,
    values: [orgId, recordId],
    asText: true,
  }
}

function toFound(type: RecordType, [row]: TextRow[]): Found {
  if (!row) throw unknownRecord(type)
  return { recordId: row[0]!, version: Number(row[1]), json: new Json(type.wire.object(row, 2)) }
}

/** The record that stands for `recordId`, archived ones too, in one round trip. @throws Problem 404 */
export async function findRecord(org: Org, type: RecordType, recordId: string): Promise<Found> {
  return toFound(type, await org.readRows(findStatement(org.orgId, type, recordId)))
}

/** The same within a transaction, after its writes. @throws Problem 404 */
export async function reloadRecord(
  tx: Tx,
  orgId: string,
  type: RecordType,
  recordId: string,
): Promise<Found> {
  return toFound(type, await tx.rows(findStatement(orgId, type, recordId)))
}

type RecordFilters = {
  q?: string | undefined
  /** `active` or `archived`, unless the records have a status of their own. */
  status?: string | undefined
  archived?: boolean
  updated_since?: number | undefined
} & Record<string, unknown>
export type RecordQuery = ListQuery & RecordFilters

/**
 * Where records that a query asks for are found: SQL of a table expression, its id column, and the conditions; and what has to
 * stand before the statement for these (`with …`, or nothing).
 */
export type Selection = { with: string; from: string; id: string; filter: Filter; driving: boolean }

/**
 * The records that a query asks for. One key drives the statement: its index has them in the order of lists.
 * @param at where the query stands in the request
 * @param inPages a page of them is read: an index has the order only if what is being moved is known before. Otherwise the
 *   statement looks for that itself, and no merge comes between
 * @throws ValidationError at the filter that cannot be read
 */
export async function selectionOf(
  org: Org,
  type: RecordType,
  query: RecordFilters,
  at: readonly string[] = ['query'],
  inPages = true,
): Promise<Selection> {
  const id = type.idField
  const status = recordStatus(type, query)
  const filter = new Filter(org.orgId, 'r').and(`r.status = '${status}'`)
  const [driving, ...others] = await keysOf(org, type, query, status, at)
  let from = `${type.entity} r`
  if (driving) {
    from = `${type.entity}_key k join ${type.entity} r on r.org_id = k.org_id and r.${id} = k.${id}`
    filter
      .and('k.org_id = $1')
      .where(driving.kind, (p) => `k.kind = ${p}`)
      .where(driving.hash, (p) => `k.hash = ${p}`)
  }
  for (const { kind, hash } of others) {
    const found = `select o.${id} from ${type.entity}_key o where o.org_id = $1 and o.kind = ${filter.parameter(kind)} and o.hash = ${filter.parameter(hash)}`
    filter.and(`r.${id} in (${found})`)
  }
  const asked = Object.entries(type.columnFilters).filter(([name]) => query[name] !== undefined)
  const named = asked.flatMap(([, { names }]) => names ?? [])
  const moving = inPages ? await movingFrom(org, named) : null
  for (const [name, { where }] of asked) filter.where(query[name], (p) => where(p, moving))
  filter.where(query.updated_since, (p) => `r.updated_at >= to_timestamp(${p})`)
  let before = ''
  if (query.q !== undefined) {
    const words = searchQuery(org.orgId, query.q)
    if (words === null) filter.and('false')
    else {
      // Searched once, however often the statement asks.
      before = `with found (id) as materialized (select ${type.search}(${filter.parameter(words)}))`
      // An array's ids are looked up; with `in` the planner walks from the newest record down to the oldest match
      // (measured for five matches in 100,000 contacts: 44 ms against 10).
      filter.and(`r.${id} = any(array(select id from found))`)
    }
  }
  return { with: before, from, id: driving ? `k.${id}` : `r.${id}`, filter, driving: driving !== undefined }
}

/** One page of records, newest first. @throws ValidationError at the filter that cannot be read */
export async function listRecords(
  org: Org,
  cursors: Cursors,
  type: RecordType,
  query: RecordQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const status = recordStatus(type, query)
  const { driving, ...selection } = await selectionOf(org, type, query)
  const filters = filterNames(type, query)
  const total =
    filters.length === 0 && status === 'active'
      ? exactTotal(type.entity)
      : driving && filters.length === 1
        ? `select count(*) from ${type.entity}_key k where k.org_id = $1 and k.kind = $2 and k.hash = $3`
        : `select count(*) from ${selection.from} where ${selection.filter.sql}`
  const list = JSON.stringify([type.entity, status, filters])
  return readPage(org, cursors, { ...selection, list, wire: type.wire, total }, query)
}

function recordStatus(type: RecordType, query: RecordFilters): 'active' | 'archived' {
  if (query.status === undefined || 'status' in type.columnFilters)
    return query.archived ? 'archived' : 'active'
  return query.status as 'active' | 'archived'
}

/** The filters in force, by name and value: what a cursor is bound to. */
function filterNames(type: RecordType, query: RecordQuery): [string, unknown][] {
  const names = ['q', 'updated_since', ...Object.keys(type.keyFilters), ...Object.keys(type.columnFilters)]
  return names.filter((name) => query[name] !== undefined).map((name) => [name, query[name]])
}

type AskedKey = { kind: string; value: string; hash: string }

async function keysOf(
  org: Org,
  type: RecordType,
  query: RecordFilters,
  status: 'active' | 'archived',
  at: readonly string[],
): Promise<AskedKey[]> {
  const asked = Object.entries(type.keyFilters).filter(([name]) => query[name] !== undefined)
  if (asked.length === 0) return []
  if (status === 'archived') {
    const why = refuse('archived records are not indexed by this filter; find them with q')
    throw new ValidationError(asked.map(([name]) => detailAt([...at, name], why)))
  }
  const needsCountry = asked.some(([name, { needsCountry }]) => needsCountry?.(query[name] as string))
  const surroundings: Surroundings = { defaultCountry: needsCountry ? await org.read(defaultCountry) : null }
  const problems: Detail[] = []
  const keys = asked.flatMap(([name, { key }]) => {
    const found = key(query[name] as string, surroundings)
    if (!('problem' in found)) return { ...found, hash: keyHash(found) }
    problems.push(detailAt([...at, name], unreadable(found.problem)))
    return []
  })
  if (problems.length > 0) throw new ValidationError(problems)
  return keys
}

/** The country of phone numbers without a country code, in the org that the transaction is bound to. */
export async function defaultCountry(tx: Tx): Promise<string | null> {
  const [row] = await tx.rows<{ default_country: string | null }>({
    text: 'select default_country from org where org_id = app.org_id()',
    values: [],
  })
  return row?.default_country ?? null
}
