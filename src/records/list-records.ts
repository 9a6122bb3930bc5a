import type { Org } from '../platform/db/org.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import type { ListQuery } from '../platform/http/list.ts'
import type { Json } from '../platform/json.ts'
import { exactTotal, readPage } from '../platform/page.ts'
import { inExpensiveTurn, isExpensive } from './expensive.ts'
import { conjunctsOf } from './filters/tree.ts'
import type { RecordType } from './record-type.ts'
import { inSearchTurn } from './search.ts'
import { type RecordSelector, selectionOf } from './selection.ts'
import { wireOf } from './shown-fields.ts'
import { defaultSort, orderOf } from './sort.ts'

/** A list or a search: which records, in which order, with which members. */
export type RecordQuery = ListQuery &
  RecordSelector & { sort?: string | undefined; fields?: readonly string[] | undefined }

export type Page = { rows: Json; pagination: Pagination }

/**
 * Reads one page of records. Expensive reads of one owner wait for each other.
 * @param owner the organization that pays for the request
 * @throws ValidationError at a filter that cannot be read; DomainError too_many
 */
export function listInTurn(
  owner: string,
  org: Org,
  cursors: Cursors,
  type: RecordType,
  query: RecordQuery,
  at: 'query' | 'body' = 'query',
): Promise<Page> {
  const read = () => listRecords(org, cursors, type, query, at)
  if (query.q !== undefined) return inSearchTurn(owner, read)
  return isExpensive(type, query, query.sort ?? defaultSort) ? inExpensiveTurn(owner, read) : read()
}

/** Reads one page of records. @throws ValidationError at a filter that cannot be read */
export async function listRecords(
  org: Org,
  cursors: Cursors,
  type: RecordType,
  query: RecordQuery,
  at: 'query' | 'body' = 'query',
): Promise<Page> {
  const { filter, q, archived = false, sort = defaultSort, fields } = query
  const { driving, ...selection } = await selectionOf(org, type, query)
  const conditions = (filter ? conjunctsOf(filter.tree).length : 0) + (q === undefined ? 0 : 1)
  const count = (from: Sql) => ({ total: sql`select count(*) from ${from}` })
  const keys = rawSql(`${type.entity}_key`)
  const total =
    conditions === 0 && !archived
      ? { total: exactTotal(org.orgId, type.entity) }
      : driving && conditions === 1
        ? count(
            sql`${keys} k where k.org_id = ${org.orgId} and k.kind = ${driving.kind} and k.hash = ${driving.hash}`,
          )
        : {}
  const wire = fields ? { wire: wireOf(type, fields), hasId: false } : { wire: type.wire }
  const list = JSON.stringify([type.entity, archived, filter?.tree, q, sort])
  const order = { order: orderOf(type, sort), readsAll: isExpensive(type, query, sort) }
  return readPage(org, cursors, { ...selection, ...wire, ...order, ...total, list }, query, at)
}
