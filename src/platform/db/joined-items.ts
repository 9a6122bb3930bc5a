import { type Sql, sql } from './sql.ts'

/** The JSON of up to 500 items, joined by commas, and their number. */
type JoinedItems = { items: string; count: number }

/**
 * Joins the JSON of the items of a long list in PostgreSQL, 500 each: a row for each item, or one text for the whole list, would
 * take the thread longer. `Json.list` makes them one list.
 * @param source selects the JSON of each item as `item`, and its position from 1 as `place`
 */
export const joinItems = (source: Sql): Sql<JoinedItems> => sql<JoinedItems>`
  select string_agg(item, ',' order by place) as items, count(*)::int as count from (${source}) as listed
  group by (place - 1) / 500 order by (place - 1) / 500`
