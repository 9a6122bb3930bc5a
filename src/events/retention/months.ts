import { setLockTimeout } from '../../platform/db/lock-timeout.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'

/** Closing and dropping a month locks a table. Give up after this time, so that writes never wait longer. */
const lockTimeoutMs = 500
/** Reading a file again to verify it does not renew the claim, and can take many minutes. */
const claimSeconds = 3_600

/** A partition of the event log, and the ids of its events: from `firstId`, before `untilId`. */
export type Month = { name: string; firstId: string; untilId: string }

/** An export of a month. `late` is the number of late events before it began. */
export type Exported = {
  late: number
  /** null: the month is dropped without an export. */
  file: string | null
  sha256: string | null
  rows: number
  /** How many events each organization has, by organization id. */
  counts: Readonly<Record<string, number>>
}

/** Returns the months that end at `keptFrom` or before it, oldest first. */
export function readOldMonths(tx: Tx, keptFrom: string): Promise<Month[]> {
  return tx.rows(sql<Month>`
    select name, first_id as "firstId", until_id as "untilId" from app.event_months() where until_id <= ${keptFrom}::uuid
    order by until_id`)
}

/** Returns when the last month of the log ends, in Unix milliseconds. */
export async function readLogEnd(tx: Tx): Promise<number> {
  const last = await tx.first(
    sql<{ until: string }>`select max(until_id::text) as until from app.event_months()`,
  )
  return last ? timeOf(last.until) : 0
}

/** From now on, events that are written to the month are counted as late. */
export async function closeMonth(tx: Tx, { name }: Month): Promise<void> {
  await setLockTimeout(tx, lockTimeoutMs)
  await tx.run(sql`select app.close_event_month(${name})`)
}

/** Claims a closed month for this process, for an hour. Returns the number of late events; null: another process has it. */
export async function claimMonth(tx: Tx, { name }: Month): Promise<number | null> {
  const row = await tx.first(sql<{ late: number }>`
    update app.event_month set claimed_until = now() + make_interval(secs => ${claimSeconds})
    where name = ${name} and (claimed_until is null or claimed_until < now()) returning late::int as late`)
  return row?.late ?? null
}

/** Keeps the claim of a month, so that no other process works on it meanwhile. */
export async function renewClaim(tx: Tx, { name }: Month): Promise<void> {
  await tx.run(sql`
    update app.event_month set claimed_until = now() + make_interval(secs => ${claimSeconds}) where name = ${name}`)
}

/** Ends the claim of a month. */
export async function releaseMonth(tx: Tx, { name }: Month): Promise<void> {
  await tx.run(sql`update app.event_month set claimed_until = null where name = ${name}`)
}

/** Returns the complete export of a month; null: there is none, or a late event came after it. */
export async function readExport(tx: Tx, { name }: Month): Promise<Exported | null> {
  const row = await tx.first(sql<Exported>`
    select late::int as late, file, sha256, rows::int as rows, counts from app.event_month
    where name = ${name} and exported_late = late`)
  return row ?? null
}

/** Returns false if a late event came after the export began. */
export async function storeExport(tx: Tx, { name }: Month, done: Exported): Promise<boolean> {
  const stored = await tx.run(sql`
    update app.event_month set exported_late = ${done.late}, file = ${done.file}, sha256 = ${done.sha256},
      rows = ${done.rows}, counts = ${JSON.stringify(done.counts)}::jsonb
    where name = ${name} and late = ${done.late}`)
  return stored === 1
}

/** Drops a month with a complete export. Returns false if another process dropped it. */
export async function dropMonth(tx: Tx, { name }: Month): Promise<boolean> {
  await setLockTimeout(tx, lockTimeoutMs)
  const row = await tx.first(sql<{ dropped: boolean }>`select app.drop_event_month(${name}) as dropped`)
  return row?.dropped ?? false
}
