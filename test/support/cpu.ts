/**
 * The CPU time of `work` in microseconds: the first of three measurements within `bound`, or else the lowest. A busy
 * machine increases CPU times.
 */
export function cpuOf(work: () => unknown, bound: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && least >= bound; tries++) {
    const startedAt = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(startedAt)
    least = Math.min(least, user + system)
  }
  return least
}
