import { getPriority, setPriority } from 'node:os'

const lowPriority = 10

/**
 * Gives the calling thread a low priority, so that the thread of the requests does not wait for it on a machine with few cores.
 * Does nothing except on Linux: elsewhere, this would change the priority of the whole process.
 */
export function lowerPriority(): void {
  // Keep a lower priority: a process without privileges may not raise its priority.
  if (process.platform === 'linux' && getPriority() < lowPriority) setPriority(lowPriority)
}
