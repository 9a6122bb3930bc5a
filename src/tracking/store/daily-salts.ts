import { randomBytes } from 'node:crypto'
import { sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { utcDay } from './utc-day.ts'

const saltBytes = 32

/** The secret of today, the same for all processes. Without the secret of a day, nobody can compute the ids of that day. */
export class DailySalts {
  readonly #scope: SystemScope
  readonly #now: () => number
  #known: { day: string; salt: Promise<Buffer> } | null = null

  /** @param now Unix milliseconds */
  constructor(scope: SystemScope, now: () => number = Date.now) {
    this.#scope = scope
    this.#now = now
  }

  /** Returns the secret of today. All requests that begin during its read share that read. */
  today(): Promise<Buffer> {
    const day = utcDay(this.#now())
    if (this.#known?.day === day) return this.#known.salt
    const known = { day, salt: this.#scope.transact((tx) => findOrMake(tx, day)) }
    this.#known = known
    known.salt.catch(() => {
      if (this.#known === known) this.#known = null
    })
    return known.salt
  }
}

async function findOrMake(tx: Tx, day: string): Promise<Buffer> {
  await tx.run(sql`
    insert into tracking_salt (day, salt) values (${day}, ${randomBytes(saltBytes)}) on conflict do nothing`)
  // Read in a separate statement after the insert: another transaction may have committed the salt in the meantime.
  const row = await tx.first(sql<{ salt: Buffer }>`select salt from tracking_salt where day = ${day}`)
  if (!row) throw new Error('The salt of today was deleted: the clocks of the servers differ by a day')
  return row.salt
}

/** Deletes the secrets of past days. */
export async function deleteOldSalts(tx: Tx, now: number = Date.now()): Promise<void> {
  await tx.run(sql`delete from tracking_salt where day < ${utcDay(now)}`)
}
