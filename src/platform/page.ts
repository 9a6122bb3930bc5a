import type { JsonColumns, TextRow } from './db/json-columns.ts'
import type { Org } from './db/org.ts'
import { isAfter, newestFirst, type Order, type Ordering, orderBy, placeText } from './db/page-order.ts'
import { keptRows } from './db/row-bound.ts'
import { joinSql, plannedOnce, rawSql, type Sql, sql, unprepared, withTextRows } from './db/sql.ts'
import type { Cursors } from './http/cursor.ts'
import type { Pagination } from './http/endpoint.ts'
import { type ListQuery, oversizedPage, paginationOf, startOf } from './http/list.ts'
import { Json } from './json.ts'
import { mapInSlices } from './slices.ts'

/** Collects the conditions of a list. The first condition is that a row belongs to the organization. */
export class Filter {
  readonly #conditions: Sql[]

  /** @param table the alias of the table in the statement */
  constructor(orgId: string, table: string) {
    this.#conditions = [sql`${rawSql(table)}.org_id = ${orgId}`]
  }

  /** Adds a condition on `value`. If `value` is undefined, adds nothing. */
  where<Value>(value: Value | undefined, condition: (value: Value) => Sql): this {
    return value === undefined ? this : this.and(condition(value))
  }

  /** Adds a condition. */
  and(condition: Sql): this {
    this.#conditions.push(condition)
    return this
  }

  /** SQL of the condition that a row belongs to the organization. */
  get orgIs(): Sql {
    return joinSql(this.#conditions.slice(0, 1))
  }

  /** SQL of all conditions, without `where`. */
  get conditions(): Sql {
    return joinSql(this.#conditions, ' and ')
  }
}

// Only statements with these common limits are prepared. (Measured on a page of 50 contacts: PostgreSQL takes 2 to 4
// times as long without a prepared statement.)
const preparedLimits = new Set([25, 50, 100, 500])

export type PageSource = {
  with?: Sql
  /** Names the list, its filters and its order. A cursor is valid only for the same name. */
  list: string
  /** The table with its alias: `contact c` */
  from: Sql
  /** The id of an item: `c.contact_id`. Without a key in `order`, the list is sorted by the id. */
  id: Sql
  /** The type of the id column; a UUIDv7 by default. */
  idType?: 'uuid' | 'bigint'
  /** The JSON of an item. The id is its first member unless `hasId` is false. */
  wire: JsonColumns
  hasId?: boolean
  /** The order of the rows; newest first by default. */
  order?: Order
  /** Whether all items must be read, because no index finds or orders them. `total` can then be missing. */
  readsAll?: boolean
  filter: Filter
  /** SQL of the exact number of items of the whole list. */
  total?: Sql
  /** SQL of the exact number of items that a limited member sees; by default they are counted. */
  seenTotal?: Sql
  /** Set if the items belong to several owners, and an index lists the items of each owner in the order of the page. */
  ofOwners?: { filter: Filter; owner: Sql }
  /** Whether one plan is good for all values of the filter: an index finds the items in their order. */
  planOnce?: boolean
  /** A table expression: the keys of `order` (`value`) and their items (`record_id`), if an index has them in this order. */
  keys?: Sql
}

/**
 * Reads one page of a list in one round trip. Rows after `answerBytesMax` bytes move to the next page.
 * @throws ValidationError at cursor or page
 */
export async function readPage(
  org: Org,
  cursors: Cursors,
  asked: PageSource,
  query: ListQuery,
  at: 'query' | 'body' = 'query',
): Promise<{ rows: Json; pagination: Pagination }> {
  // A stored total counts all records, so a member who reaches only some records gets the number of the records that
  // the member reaches.
  const { total: _stored, seenTotal, ofOwners, keys, ...counted } = asked
  const source = org.actor.recordAccess ? { ...counted, ...(seenTotal && { total: seenTotal }) } : asked
  const { id, idType = 'uuid', wire, order = newestFirst, hasId = true } = source
  const start = startOf(cursors, org.orgId, source.list, query, at)
  const keySql = order.key?.sql ?? null
  const ordering: Ordering = { ...order, keySql, id, idType }
  // Columns that a page needs but does not show.
  const leading = [...(keySql || !hasId ? [id] : []), ...(keySql ? [keySql] : [])]
  const columns = joinSql([...leading, wire.columns])
  // Write the limit as a literal: with a parameter, PostgreSQL would sort the whole org.
  const window = rawSql(`limit ${start.limit + 1}${start.skip > 0 ? ` offset ${start.skip}` : ''}`)
  const parts = { columns, ordering, after: start.after, window, reach: start.skip + start.limit + 1 }
  const { before, total, page } =
    ofOwners !== undefined
      ? pageOfOwners(source, ofOwners, parts)
      : keys !== undefined
        ? pageOfKeys(source, keys, parts)
        : source.readsAll
          ? fullScanPage(source, parts)
          : indexedPage(source, parts)
  // The total is the first row, so that an empty page has a row. A join without a condition is a nested loop, so it
  // keeps the order of the page.
  const statement = withTextRows(sql<TextRow>`
    ${before} select all_items.total, page.* from (select (${total}) as total) as all_items left join (
      ${page}
    ) as page on true`)
  const isRare = start.skip > 0 || !preparedLimits.has(start.limit)
  const repeated = source.planOnce ? plannedOnce(statement) : statement
  const joined = await org.readRows(isRare ? unprepared(statement) : repeated)
  const items = joined.filter((row) => row[1] !== null)
  const shown = keptRows(items).slice(0, start.limit)
  if (query.page !== undefined && shown.length < Math.min(items.length, start.limit))
    throw oversizedPage(at, query.page)
  const [, lastId, lastKey = null] = shown.at(-1) ?? []
  const pagination = paginationOf(cursors, org.orgId, source.list, start, {
    last: lastId ? placeText({ id: lastId, key: keySql ? lastKey : null }) : null,
    hasNext: items.length > shown.length,
    total: Number(joined[0]?.[0]),
  })
  // 4 MiB of rows with long texts take 10 to 20 ms.
  const texts = await mapInSlices(org.payerId, shown, (row) => wire.object(row, 1 + leading.length))
  return { rows: Json.list(texts), pagination }
}

/** `reach`: the number of items from the place `after` to the end of the page, and one more. */
type PageParts = { columns: Sql; ordering: Ordering; after: string | null; window: Sql; reach: number }
type PageSql = { before: Sql; total: Sql; page: Sql }

function indexedPage(
  {
    with: before = sql``,
    filter,
    from,
    total = sql`select count(*) from ${from} where ${filter.conditions}`,
  }: PageSource,
  { columns, ordering, after, window }: PageParts,
): PageSql {
  const all = filter.conditions
  const conditions = after === null ? all : sql`${all} and ${isAfter(ordering, after)}`
  const page = sql`select ${columns} from ${from} where ${conditions} order by ${orderBy(ordering)} ${window}`
  return { before, total, page }
}

/**
 * A page of a list whose items must all be read. Only ids and sort keys are sorted. (Measured at a million contacts:
 * sorting all columns takes four times as long.)
 */
function fullScanPage(
  { filter, from, id, total = sql`select count(*) from matching` }: PageSource,
  { columns, ordering, after, window }: PageParts,
): PageSql {
  const { keySql } = ordering
  const chosen = { ...ordering, keySql: keySql && sql`m.key`, id: sql`m.id` }
  const before = sql`with matching as (
    select ${id} as id, ${keySql ?? sql`null`} as key from ${from} where ${filter.conditions})`
  const isNext = after === null ? sql`true` : isAfter(chosen, after)
  const page = sql`
    select ${columns} from (
      select m.id, m.key from matching m where ${isNext} order by ${orderBy(chosen)} ${window}
    ) as m join ${from} on ${filter.orgIs} and ${id} = m.id order by ${orderBy(chosen)}`
  return { before, total, page }
}

/** A page of the records of some owners: reads the first records of each owner, and sorts only these. */
function pageOfOwners(
  { from, id, filter: all, total = sql`select count(*) from ${from} where ${all.conditions}` }: PageSource,
  { filter, owner }: NonNullable<PageSource['ofOwners']>,
  { columns, ordering, after, window, reach }: PageParts,
): PageSql {
  const own = filter.conditions
  const conditions = after === null ? own : sql`${own} and ${isAfter(ordering, after)}`
  const { keySql } = ordering
  const merged = { ...ordering, keySql: keySql && sql`one.key`, id: sql`one.id` }
  const page = sql`
    select ${columns} from (
      select one.id from unnest((select app.seen_owners())) as o (owner) cross join lateral (
        select ${id} as id, ${keySql ?? sql`null`} as key from ${from} where ${conditions} and ${owner} = o.owner
        order by ${orderBy(ordering)} ${rawSql(`limit ${reach}`)}
      ) as one order by ${orderBy(merged)} ${window}
    ) as m join ${from} on ${filter.orgIs} and ${id} = m.id order by ${orderBy(ordering)}`
  return { before: sql``, total, page }
}

/** A page in the order of an index of keys. Items without a key follow: they are only read if the keys end on this page. */
function pageOfKeys(
  { from, id, filter: all, total = sql`select count(*) from ${from} where ${all.conditions}` }: PageSource,
  keys: Sql,
  { columns, ordering, after, window, reach }: PageParts,
): PageSql {
  const { keySql } = ordering
  const most = rawSql(`limit ${reach}`)
  const follows = (order: Ordering) => (after === null ? sql`true` : isAfter(order, after))
  // No key of the index is null: `nulls last` would keep PostgreSQL from reading the index backwards.
  const key = ordering.key && { ...ordering.key, isNullable: false }
  const byKey = { ...ordering, ...(key && { key }), keySql: sql`k.value`, id: sql`k.record_id` }
  const chosen = { ...ordering, keySql: sql`m.key`, id: sql`m.id` }
  // `offset 0` keeps the order: items are looked up one after another, even if statistics are missing.
  const before = sql`with keyed as materialized (
    select k.record_id as id, k.value as key
    from (select k.* from ${keys} as k where ${follows(byKey)} order by ${orderBy(byKey)} offset 0) as k
    cross join lateral (
      select from ${from} where ${all.conditions} and ${id} = k.record_id and ${keySql!} = k.value offset 0
    ) as r ${most})`
  const page = sql`
    select ${columns} from (
      select m.id, m.key from (
        select keyed.id, keyed.key from keyed union all (
          select ${id}, null from ${from} where ${all.conditions} and ${keySql!} is null and ${follows(ordering)}
            and (select count(*) from keyed) < ${rawSql(String(reach))}
          order by ${orderBy({ ...ordering, keySql: null })} ${most}
        )
      ) as m (id, key) order by ${orderBy(chosen)} ${window}
    ) as m join ${from} on ${all.orgIs} and ${id} = m.id order by ${orderBy(chosen)}`
  return { before, total, page }
}
