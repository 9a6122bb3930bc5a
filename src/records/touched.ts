/**
 * SQL of when a row is changed: the time of the statement, not now(), the beginning of its transaction. That may have
 * waited for another change of the record, and whoever asks for what changed since then must not miss it.
 */
export const touched = (table: string): string => `greatest(${table}.updated_at, clock_timestamp())`
