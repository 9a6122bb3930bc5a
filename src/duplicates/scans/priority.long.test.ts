import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ThreadGroupFinder } from './group-finder.ts'
import { PlanThreads } from './plan-threads.ts'

/** The threads of this process with a low priority: the nice value is the 17th member after the name. */
function slowThreads(): Set<string> {
  const ids = readdirSync('/proc/self/task').filter((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]) > 0
  })
  return new Set(ids)
}

test.runIf(process.platform === 'linux')('the threads of a scan have a low priority', async () => {
  const before = slowThreads()
  const ending = new AbortController()
  const finder = new ThreadGroupFinder({ entityType: 'contact', floor: 0, threads: 1 }, ending.signal)
  const plans = new PlanThreads(2)
  try {
    await expect.poll(() => slowThreads().difference(before).size, { timeout: 20_000 }).toBe(3)
  } finally {
    await Promise.all([finder.close(), plans.close()])
  }
})
