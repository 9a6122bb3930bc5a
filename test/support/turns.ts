/** The longest turn of the event loop during `work`, as CPU time in milliseconds. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  let longest = 0
  while (!isDone) {
    const before = process.threadCpuUsage()
    await new Promise((resolve) => setTimeout(resolve, 1))
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
  }
  await done
  return longest
}

/**
 * The longest turn of `work`, or of the best of three runs if one takes `limit` or longer: garbage collection or a busy
 * machine can make a turn longer.
 */
export async function usualLongestTurn(work: () => Promise<unknown>, limit: number): Promise<number> {
  let least = await longestTurn(work)
  for (let run = 2; run <= 3 && least >= limit; run++) least = Math.min(least, await longestTurn(work))
  return least
}
