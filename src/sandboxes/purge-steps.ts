import { sql } from '../platform/db/sql.ts'
import type { Tx } from '../platform/db/tx.ts'

/** `referrersOnly`: delete only rows that refer to other rows of the same table by this column. */
export type PurgeStep = { table: string; referrersOnly: string | null }

type Reference = { table: string; referenced: string; column: string }

/**
 * The tables with rows of organizations, with referring tables first. The database's catalog gives the order, so that
 * no new table is forgotten.
 */
export async function readPurgeSteps(tx: Tx): Promise<PurgeStep[]> {
  const tables = await tx.rows(sql<{ table: string }>`
    select c.relname as table from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`)
  const references = await tx.rows(sql<Reference>`
    select t.relname as table, f.relname as referenced, a.attname as column
    from pg_constraint k
    join pg_class t on t.oid = k.conrelid
    join pg_class f on f.oid = k.confrelid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = k.conkey[cardinality(k.conkey)]
    where k.contype = 'f' and t.relnamespace = 'public'::regnamespace
    order by k.conname`)
  return stepsOf(
    tables.map(({ table }) => table),
    references,
  )
}

/** Returns the steps of these tables. @throws Error if tables refer to each other in a circle */
export function stepsOf(tables: readonly string[], references: readonly Reference[]): PurgeStep[] {
  const steps: PurgeStep[] = []
  const left = new Set(tables)
  const isReferred = (table: string) =>
    references.some(
      (reference) => reference.referenced === table && reference.table !== table && left.has(reference.table),
    )
  while (left.size > 0) {
    const free = [...left].filter((table) => !isReferred(table))
    if (free.length === 0) throw new Error(`Tables refer to each other: ${[...left].join(', ')}`)
    for (const table of free) {
      const ownReferences = references.filter(
        (reference) => reference.table === table && reference.referenced === table,
      )
      steps.push(...ownReferences.map(({ column }) => ({ table, referrersOnly: column })))
      steps.push({ table, referrersOnly: null })
      left.delete(table)
    }
  }
  return steps
}
