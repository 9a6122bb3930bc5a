import { repeatEvery } from '../repeat-every.ts'
import { sql } from './sql.ts'
import type { Statement } from './statement.ts'
import type { SystemScope } from './system.ts'

/** All tasks check at the same times, so that they share one query. */
const lookEveryMs = 250
/** Callers within this time share one query. */
const sharedMs = 200
/** The longest pause between two runs. It matters only if a process ended while it held rows locked and wrote nothing. */
const restMs = 10_000

const snapshots = new WeakMap<SystemScope, { readAt: number; text: Promise<string> }>()

/** The current snapshot of PostgreSQL, at most 200 ms old. Statements with equal snapshots see equal rows. */
function snapshotOf(scope: SystemScope): Promise<string> {
  const last = snapshots.get(scope)
  if (last && performance.now() - last.readAt < sharedMs) return last.text
  const text = scope
    .readRows(sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`)
    .then(([row]) => row?.snapshot ?? '')
  snapshots.set(scope, { readAt: performance.now(), text })
  text.catch(() => snapshots.delete(scope))
  return text
}

/** Reads in how many seconds the next row is due: 0 or less if one is due now, null if none waits. */
export type NextDue = () => Statement<{ seconds: number | null }>

/**
 * Tells whether a repeated task can find anything new: whether a transaction of any process committed, or a row became
 * due. An idle process asks for one snapshot in place of the queries of all its tasks. It needs no notifications, which
 * can get lost behind a connection pooler.
 */
export class CommitWatch {
  readonly #scope: SystemScope
  readonly #nextDue: NextDue | undefined
  #seen: string | null = null
  #dueAt = Number.POSITIVE_INFINITY

  constructor(scope: SystemScope, nextDue?: NextDue) {
    this.#scope = scope
    this.#nextDue = nextDue
  }

  /** Returns whether there may be something new since the last call that returned true. */
  async arrived(): Promise<boolean> {
    const snapshot = await snapshotOf(this.#scope)
    if (snapshot === this.#seen && performance.now() < this.#dueAt) return false
    const [next] = this.#nextDue ? await this.#scope.readRows(this.#nextDue()) : []
    const pauseMs = Math.min(restMs, (next?.seconds ?? Number.POSITIVE_INFINITY) * 1_000)
    this.#dueAt = performance.now() + pauseMs
    this.#seen = snapshot
    return true
  }

  /** Makes the next `arrived` return true: the task did not finish. */
  forget(): void {
    this.#seen = null
  }
}

/**
 * Runs `act` every `everyMs` at most, never twice at once, and only if it may find something new. Returns a function that
 * stops it, and waits for a running `act`.
 * @param act returns 'unfinished' if it must run again even without a commit. After an error it also runs again
 */
export function repeatAfterCommits(
  scope: SystemScope,
  { everyMs, nextDue }: { everyMs: number; nextDue?: NextDue },
  act: (stopping: () => boolean) => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const commits = new CommitWatch(scope, nextDue)
  let notBefore = 0
  return repeatEvery(
    lookEveryMs,
    async (stopping) => {
      const now = performance.now()
      if (now < notBefore || !(await commits.arrived())) return
      // A timer can fire a few milliseconds early.
      notBefore = now + everyMs - lookEveryMs / 2
      try {
        if ((await act(stopping)) === 'unfinished') commits.forget()
      } catch (error) {
        commits.forget()
        throw error
      }
    },
    onError,
  )
}
