import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { codeOf } from '../db/errors.ts'
import type { Log } from '../log.ts'
import { OperatorError } from '../report.ts'

/** The time that changes of the schema wait for locks. */
export type LockWaits = {
  /** How long one attempt waits for each lock. Meanwhile, requests that need the same table wait too. */
  attemptMs: number
  /** After this time, no further attempt is made. */
  giveUpMs: number
}

export const defaultLockWaits: LockWaits = { attemptMs: 2_000, giveUpMs: 120_000 }

/**
 * Runs `work`, a change of the schema, until it gets its locks. A waiting ALTER TABLE blocks
 * all later requests on its table, so each attempt waits only briefly.
 * @param what names the work at the start of a sentence: `Migration 0008_imports.sql`
 * @throws OperatorError that names the open transactions, after `giveUpMs`
 */
export async function withLockRetries<T>(
  owner: ClientBase,
  log: Log,
  what: string,
  work: () => Promise<T>,
  { attemptMs, giveUpMs }: LockWaits,
): Promise<T> {
  const giveUpAt = performance.now() + giveUpMs
  for (let pauseMs = attemptMs / 2; ; pauseMs = Math.min(pauseMs * 2, attemptMs * 4)) {
    await owner.query(`set lock_timeout = ${attemptMs}`)
    try {
      return await work()
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      const open = await openTransactions(owner, attemptMs)
      if (performance.now() + pauseMs > giveUpAt) throw lockTimeoutError(what, giveUpMs, open, error)
      log.warn({ open_transactions: open }, `${what} got no lock within ${attemptMs} ms; it is tried again`)
      await pause(pauseMs)
    } finally {
      await owner.query('set lock_timeout = 0').catch(() => {})
    }
  }
}

/** Returns whether `error` or its cause is `lock_not_available`. */
function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return codeOf(error) === '55P03' || isLockTimeout(error.cause)
}

type OpenTransaction = { pid: number; who: string; seconds: number }

async function openTransactions(owner: ClientBase, olderThanMs: number): Promise<OpenTransaction[]> {
  const { rows } = await owner.query<OpenTransaction>(
    `select pid, concat_ws(', ', coalesce(usename, backend_type), nullif(application_name, '')) as who,
       floor(extract(epoch from now() - xact_start))::integer as seconds
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and xact_start < now() - make_interval(secs => $1)
     order by xact_start limit 3`,
    [olderThanMs / 1000],
  )
  return rows
}

function lockTimeoutError(
  what: string,
  giveUpMs: number,
  open: OpenTransaction[],
  cause: unknown,
): OperatorError {
  const [oldest] = open
  const cure = oldest
    ? `These transactions are open: ${open.map(({ pid, who, seconds }) => `process ${pid} (${who}) for ${seconds} s`).join('; ')}. ` +
      `Wait for them, or end them: select pg_terminate_backend(${oldest.pid});`
    : 'pg_stat_activity shows which transactions are open: wait for the oldest, or end it with pg_terminate_backend.'
  return new OperatorError(
    `${what} got no lock within ${giveUpMs / 1000} s, and was not applied. ${cure} Then start again.`,
    { cause },
  )
}
