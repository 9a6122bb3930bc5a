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

const uuidLength = 36
// The default and the most: pages of other sizes are not worth a prepared statement on every connection.
const usualLimits = new Set([25, 100])

export type PageSource = {
  /** Names the list and its filters: a cursor holds for it alone. */
  list: string
  /** `contact c` */
  from: string
  /** The UUIDv7 column that orders the list, newest first: `c.contact_id`. */
  id: string
  /** What PostgreSQL makes an item's JSON of; one column is the id, of the same name. */
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
  const idColumn = id.slice(id.indexOf('.') + 1)
  const start = startOf(cursors, org.orgId, source.list, query)
  // Before the cursor's condition joins: the total is of the whole list.
  const { total } = source
  if (start.after !== null) filter.where(start.after, (after) => `${id} < ${after}::uuid`)
  // Written out, not as parameters: a plan for any limit would sort the whole org.
  const window = `limit ${start.limit + 1}${start.skip > 0 ? ` offset ${start.skip}` : ''}`
  // One line for each item, its id before its JSON: cheaper than rows, to make and to read.
  const [page] = await org.readRows<{ lines: string | null; total: number }>({
    text: `
      select string_agg(page.${idColumn}::text || row_to_json(page)::text, E'\\n') as lines, (${total}) as total
      from (select ${source.columns} from ${from} where ${filter.sql} order by ${id} desc ${window}) as page`,
    values: filter.values,
    once: start.skip > 0 || !usualLimits.has(start.limit),
  })
  const lines = page?.lines?.split('\n') ?? []
  const shown = lines.slice(0, start.limit)
  const pagination = paginationOf(cursors, org.orgId, source.list, start, {
    last: shown.at(-1)?.slice(0, uuidLength) ?? null,
    hasNext: lines.length > start.limit,
    total: page!.total,
  })
  return { rows: new Json(`[${shown.map((line) => line.slice(uuidLength)).join(',')}]`), pagination }
}

/** SQL of how many records of `entity` the org of $1 has, at the same cost for any org (`record_total`). */
export const exactTotal = (entity: string): string => `
  select ((select coalesce(sum(total), 0) from record_total where org_id = $1 and entity = '${entity}')
       + (select coalesce(sum(delta), 0) from record_delta where org_id = $1 and entity = '${entity}'))::bigint`
