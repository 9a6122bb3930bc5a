/**
 * SQL of the id of the record that stands for the row `alias` of `to`: itself, or the one that absorbed it. Not coalesce, of
 * which PostgreSQL does not know that it tells nothing of other orgs' rows: under row-level security no index would be used to
 * join by it, and each look-up would read all of the org's records.
 */
export const rootId = (alias: string, id: string): string =>
  `case when ${alias}.merged_into_id is null then ${alias}.${id} else ${alias}.merged_into_id end`
