import type { Cursors } from '../http/cursor.ts'
import { Json, type Pagination } from '../http/endpoint.ts'
import { type ListQuery, paginationOf, startOf } from '../http/list.ts'
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

export type PageSource = {
  /** Names the list and its filters: a cursor holds for it alone. */
  list: string
  /** `contact c` */
  from: string
  /** The UUIDv7 column that orders the list, newest first: `c.contact_id`. */
  id: string
  /** What PostgreSQL makes a row's JSON of. */
  columns: string
  filter: Filter
  /** SQL of the exact number of items of the whole list, with the filter's parameters. */
  total: string
}

/** One page of a list, in one round trip: its rows as JSON that PostgreSQL built, and the pagination. */
export async function readPage(
  org: Org,
  cursors: Cursors,
  source: PageSource,
  query: ListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { filter, id, from } = source
  const start = startOf(cursors, org.orgId, source.list, query)
  // Before the cursor's condition joins: the total is of the whole list.
  const { total } = source
  if (start.after !== null) filter.where(start.after, (after) => `${id} < ${after}::uuid`)
  const window = `limit ${filter.parameter(start.limit + 1)} offset ${filter.parameter(start.skip)}`
  const rows = await org.readRows<{ total: number; id: string | null; json: string }>({
    text: `
      select list.total, page.id, page.json
      from (select (${total}) as total) as list
      left join lateral (
        select ${id} as id, (select row_to_json(item) from (select ${source.columns}) as item)::text as json
        from ${from} where ${filter.sql} order by ${id} desc ${window}
      ) as page on true`,
    values: filter.values,
  })
  const items = rows.filter((row) => row.id !== null)
  const shown = items.slice(0, start.limit)
  const pagination = paginationOf(cursors, org.orgId, source.list, start, {
    last: shown.at(-1)?.id ?? null,
    hasNext: items.length > start.limit,
    total: rows[0]!.total,
  })
  return { rows: new Json(`[${shown.map((row) => row.json).join(',')}]`), pagination }
}

/** SQL of how many records of `entity` the org of $1 has, at the same cost for any org (`record_total`). */
export const exactTotal = (entity: string): string => `
  select ((select coalesce(sum(total), 0) from record_total where org_id = $1 and entity = '${entity}')
       + (select coalesce(sum(delta), 0) from record_delta where org_id = $1 and entity = '${entity}'))::bigint`
