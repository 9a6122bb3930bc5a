import type { Client } from 'pg'

/** The number of bits of a transaction id. 2^44 transactions take 5 years at 100,000 a second. */
const eraBits = 44

/**
 * Begins a new era of the event log if this database was restored into another PostgreSQL installation, whose
 * transaction ids start again. Events of the new era sort after all others, so a reader misses none. Runs with the
 * migrations, as the owner of the schema.
 * @returns whether a new era began
 */
export async function renewEventEra(owner: Pick<Client, 'query'>): Promise<boolean> {
  const { rows } = await owner.query<{ next: number }>(
    `select event_era.era + 1 as next from app.event_era, pg_control_system() as here
     where event_era.system_identifier <> here.system_identifier`,
  )
  const [restored] = rows
  if (!restored) return false
  const start = BigInt(restored.next) << BigInt(eraBits)
  await owner.query('begin')
  try {
    await owner.query(
      `alter table event alter column xact set default ((pg_current_xact_id()::text::bigint + ${start})::text::xid8)`,
    )
    await owner.query(
      `update app.event_era set era = era + 1, system_identifier = here.system_identifier
       from pg_control_system() as here`,
    )
    await owner.query('commit')
    return true
  } catch (error) {
    await owner.query('rollback').catch(() => {})
    throw error
  }
}
