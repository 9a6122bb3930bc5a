import type { Cursors } from '../http/cursor.ts'
import type { Pagination } from '../http/endpoint.ts'
import { type ListQuery, paginationOf, startOf } from '../http/list.ts'
import { Json } from '../json.ts'
import type { JsonColumns, TextRow } from './json-columns.ts'
import type { Org } from './org.ts'

/** Collects conditions and their parameters; `$1` is always the org. */
export class Filter {
  readonly values: unknown[]
  readonly #conditions: string[]

  /** @param table its alias in the statement */
  constructor(orgId: string, table: string) {
    this.values = [orgId]
    this.#conditions = [`${table}.org_id = $1`]
  }

  /** Adds a condition, given the parameter that stands for `value`; none if `value` is undefined. */
  where(value: unknown, condition: (parameter: string) => string): this {
    if (value !== undefined) this.#conditions.push(condition(this.parameter(value)))
    return this
  }

  /** Adds a condition without a value. */
  and(condition: string): this {
    this.#conditions.push(condition)
    return this
  }

  parameter(value: unknown): string {
    return `$${this.values.push(value)}`
  }

  get sql(): string {
    return this.#conditions.join(' and ')
  }
}

// The default and the most: pages of other sizes are not worth a prepared statement on every connection.
const usualLimits = new Set([25, 100])

export type PageSource = {
  /** `with …`, if the items and their number are read from one; empty unless told. */
  with?: string
  /** Names the list and its filters: a cursor holds for it alone. */
  list: string
  /** `contact c` */
  from: string
  /** The column that orders the list, newest first: `c.contact_id`. */
  id: string
  /** A UUIDv7 unless told. */
  idType?: 'uuid' | 'bigint'
  /** What an item's JSON is made of; its first member is the id. */
  wire: JsonColumns
  filter: Filter
  /** SQL of the exact number of items of the whole list, with the filter's parameters. */
  total: string
}

/** One page of a list, in one round trip: its rows as JSON, and the pagination. */
export async function readPage(
  org: Org,
  cursors: Cursors,
  source: PageSource,
  query: ListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { with: before = '', filter, id, idType = 'uuid', from, wire, total } = source
  const start = startOf(cursors, org.orgId, source.list, query)
  // Here and not before `total` was made: that is of the whole list.
  if (start.after !== null) filter.where(start.after, (after) => `${id} < ${after}::${idType}`)
  // Written out, not as parameters: a plan for any limit would sort the whole org.
  const window = `limit ${start.limit + 1}${start.skip > 0 ? ` offset ${start.skip}` : ''}`
  // The one row of the total leads, so that there is one even where the page is empty; a nested loop, which is all
  // that can join without a condition, keeps the order of the page.
  const joined = await org.readRows<TextRow>({
    text: `
      ${before} select all_items.total, page.* from (select (${total}) as total) as all_items left join (
        select ${wire.sql} from ${from} where ${filter.sql} order by ${id} desc ${window}
      ) as page on true`,
    values: filter.values,
    asText: true,
    once: start.skip > 0 || !usualLimits.has(start.limit),
  })
  const items = joined.filter((row) => row[1] !== null)
  const shown = items.slice(0, start.limit)
  const pagination = paginationOf(cursors, org.orgId, source.list, start, {
    last: shown.at(-1)?.[1] ?? null,
    hasNext: items.length > start.limit,
    total: Number(joined[0]![0]),
  })
  return { rows: new Json(`[${shown.map((row) => wire.object(row, 1)).join(',')}]`), pagination }
}

/** SQL of how many records of `entity` the org of $1 has, at the same cost for any org (`record_total`). */
export const exactTotal = (entity: string): string => `
  select ((select coalesce(sum(total), 0) from record_total where org_id = $1 and entity = '${entity}')
       + (select coalesce(sum(delta), 0) from record_delta where org_id = $1 and entity = '${entity}'))::bigint`
