import { rawSql, type Sql, sql } from './sql.ts'

/**
 * The order of a list: by `key`, then by the id. Without a key, it is by the id. Items without a value for the key
 * come last.
 */
export type Order = { key?: { sql: Sql; type: string; isNullable: boolean }; descending: boolean }

export const newestFirst: Order = { descending: true }

/** An order, with the SQL of its id column and of its key. `keySql` is null if the order has no key. */
export type Ordering = Order & { keySql: Sql | null; id: Sql; idType: string }

/** The place where a page ended: the last id and, in a list with a key, the text of the key. */
type Place = { id: string; key: string | null }

const uuidLength = 36

/** Writes a place as the text that a cursor contains. `isAfter` reads it. */
export const placeText = ({ id, key }: Place): string => (key === null ? id : `${id} ${key}`)

const placeOf = (text: string, { key }: Order): Place =>
  key && text.length > uuidLength
    ? { id: text.slice(0, uuidLength), key: text.slice(uuidLength + 1) }
    : { id: text, key: null }

/** Returns the condition that an item comes after a place. `text` is the result of `placeText`. */
export function isAfter(ordering: Ordering, text: string): Sql {
  const { key, keySql, descending, id, idType } = ordering
  const place = placeOf(text, ordering)
  const after = rawSql(descending ? '<' : '>')
  const lastId = sql`${place.id}::${rawSql(idType)}`
  if (!key || !keySql) return sql`${id} ${after} ${lastId}`
  if (place.key === null) return sql`${keySql} is null and ${id} ${after} ${lastId}`
  const follows = sql`(${keySql}, ${id}) ${after} (${place.key}::${rawSql(key.type)}, ${lastId})`
  return key.isNullable ? sql`(${follows} or ${keySql} is null)` : follows
}

/** The sort keys of `order by`. */
export function orderBy({ key, keySql, descending, id }: Ordering): Sql {
  const way = rawSql(descending ? 'desc' : 'asc')
  const last = rawSql(key?.isNullable ? ' nulls last' : '')
  return keySql ? sql`${keySql} ${way}${last}, ${id} ${way}` : sql`${id} ${way}`
}
