/**
 * Microseconds of CPU that `work` takes, the least of three tries unless one stays within `bound`: where the machine is
 * busy, the same work takes more of it.
 */
export function cpuOf(work: () => void, bound: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && least >= bound; tries++) {
    const startedAt = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(startedAt)
    least = Math.min(least, user + system)
  }
  return least
}
