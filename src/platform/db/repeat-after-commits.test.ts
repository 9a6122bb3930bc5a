import { expect, test, vi } from 'vitest'
import { insertMemo, openMemos } from '../../../test/support/memos.ts'
import { CommitWatch, repeatAfterCommits } from './repeat-after-commits.ts'
import { sql } from './sql.ts'
import { type SystemScope, system } from './system.ts'

const { owner, database } = await openMemos()

/** A database with a snapshot and a next due row that the test sets. Counts the queries for snapshots. */
function stubDatabase() {
  const state = { snapshot: '1:1:', seconds: null as number | null, looks: 0 }
  const readRows = async ({ text }: { text: string }) => {
    if (text.includes('due')) return [{ seconds: state.seconds }]
    state.looks++
    return [{ snapshot: state.snapshot }]
  }
  return { state, scope: { readRows } as unknown as SystemScope }
}
const nextDue = () => sql<{ seconds: number | null }>`select 1 as due`

const fakeTime = () =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })

test('a task runs after a commit, when a row is due, after an error, and every 10 s', async () => {
  fakeTime()
  try {
    const { state, scope } = stubDatabase()
    const runs = { tasks: 0, errors: 0 }
    let answer: () => unknown = () => 'finished'
    const act = async () => {
      runs.tasks++
      return answer()
    }
    const stop = repeatAfterCommits(scope, { everyMs: 500, nextDue }, act, () => runs.errors++)
    const runsIn = async (ms: number) => {
      const before = runs.tasks
      await vi.advanceTimersByTimeAsync(ms)
      return runs.tasks - before
    }
    expect(await runsIn(1_000)).toBe(1)
    expect(await runsIn(5_000)).toBe(0)
    state.snapshot = '1:2:'
    state.seconds = 2
    expect(await runsIn(750)).toBe(1)
    // The row stays due until the task deletes it.
    expect(await runsIn(1_000)).toBe(0)
    state.seconds = 0
    expect(await runsIn(2_000)).toBeGreaterThanOrEqual(2)
    state.seconds = null
    await runsIn(500)
    expect(await runsIn(5_000)).toBe(0)
    expect(await runsIn(10_000)).toBe(1)
    state.snapshot = '1:3:'
    answer = () => {
      throw new Error('not now')
    }
    expect(await runsIn(2_000)).toBeGreaterThanOrEqual(3)
    expect(runs.errors).toBeGreaterThanOrEqual(3)
    answer = () => 'unfinished'
    expect(await runsIn(2_000)).toBeGreaterThanOrEqual(3)
    await stop()
    expect(await runsIn(20_000)).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('all tasks of a process share one query of the database', async () => {
  fakeTime()
  try {
    const { state, scope } = stubDatabase()
    const stops = [250, 500, 1_000, 2_000].map((everyMs) =>
      repeatAfterCommits(
        scope,
        { everyMs },
        async () => {},
        (error) => expect.unreachable(String(error)),
      ),
    )
    await vi.advanceTimersByTimeAsync(10_000)
    expect(state.looks).toBeLessThanOrEqual(41)
    await Promise.all(stops.map((stop) => stop()))
  } finally {
    vi.useRealTimers()
  }
})

test('each commit of another connection is noticed', async () => {
  const commits = new CommitWatch(system(database))
  await commits.arrived()
  for (const id of [1, 2, 3]) {
    const { text, values } = insertMemo(id)
    await owner.query(text, [...values])
    await expect.poll(() => commits.arrived(), { interval: 20 }).toBe(true)
  }
})
