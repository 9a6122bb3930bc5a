import type { JsonColumns, TextRow } from './db/json-columns.ts'
import type { Org } from './db/org.ts'
import { joinSql, rawSql, type Sql, sql, unprepared, withTextRows } from './db/sql.ts'
import type { Cursors } from './http/cursor.ts'
import type { Pagination } from './http/endpoint.ts'
import { type ListQuery, paginationOf, startOf } from './http/list.ts'
import { Json } from './json.ts'

/** Collects the conditions of a list; the first is that a row belongs to the organization. */
export class Filter {
  readonly #conditions: Sql[]

  /** @param table its alias in the statement */
  constructor(orgId: string, table: string) {
    this.#conditions = [sql`${rawSql(table)}.org_id = ${orgId}`]
  }

  /** Adds a condition on `value`; none if `value` is undefined. */
  where<Value>(value: Value | undefined, condition: (value: Value) => Sql): this {
    return value === undefined ? this : this.and(condition(value))
  }

  /** Adds a condition. */
  and(condition: Sql): this {
    this.#conditions.push(condition)
    return this
  }

  /** All conditions, for a `where`. */
  get conditions(): Sql {
    return joinSql(this.#conditions, ' and ')
  }
}

// The default and the maximum. Other limits are too rare for a prepared statement on every connection.
const preparedLimits = new Set([25, 100])

export type PageSource = {
  /** A `with …` clause that both the items and their total use; empty by default. */
  with?: Sql
  /** Names the list and its filters. A cursor is valid only for the same name. */
  list: string
  /** `contact c` */
  from: Sql
  /** The column that orders the list, newest first: `c.contact_id`. */
  id: Sql
  /** The type of the column; a UUIDv7 by default. */
  idType?: 'uuid' | 'bigint'
  /** The members of an item's JSON. The first one is the id. */
  wire: JsonColumns
  filter: Filter
  /** The exact number of items of the whole list. */
  total: Sql
}

/** One page of a list, in one round trip: its rows as JSON, and the pagination. */
export async function readPage(
  org: Org,
  cursors: Cursors,
  source: PageSource,
  query: ListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { with: before = sql``, filter, id, idType = 'uuid', from, wire, total } = source
  const start = startOf(cursors, org.orgId, source.list, query)
  // Only now: `total` counts the whole list, without the cursor's condition.
  if (start.after !== null) filter.and(sql`${id} < ${start.after}::${rawSql(idType)}`)
  // Part of the text, not parameters: a plan for any limit would sort the whole org.
  const window = rawSql(`limit ${start.limit + 1}${start.skip > 0 ? ` offset ${start.skip}` : ''}`)
  // The row of the total comes first, so there is a row even if the page is empty. A join without a condition is a nested
  // loop, which keeps the order of the page.
  const statement = withTextRows(sql<TextRow>`
    ${before} select all_items.total, page.* from (select (${total}) as total) as all_items left join (
      select ${wire.columns} from ${from} where ${filter.conditions} order by ${id} desc ${window}
    ) as page on true`)
  const isRare = start.skip > 0 || !preparedLimits.has(start.limit)
  const joined = await org.readRows(isRare ? unprepared(statement) : statement)
  const items = joined.filter((row) => row[1] !== null)
  const shown = items.slice(0, start.limit)
  const pagination = paginationOf(cursors, org.orgId, source.list, start, {
    last: shown.at(-1)?.[1] ?? null,
    hasNext: items.length > start.limit,
    total: Number(joined[0]?.[0]),
  })
  return { rows: new Json(`[${shown.map((row) => wire.object(row, 1)).join(',')}]`), pagination }
}

/** The number of records of `entity`, at the same cost for any organization (`record_total`). */
export const exactTotal = (orgId: string, entity: string): Sql => sql`
  select ((select coalesce(sum(total), 0) from record_total where org_id = ${orgId} and entity = ${entity})
       + (select coalesce(sum(delta), 0) from record_delta where org_id = ${orgId} and entity = ${entity}))::bigint`
