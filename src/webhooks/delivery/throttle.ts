import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { onEventsCommitted } from '../../events/wake.ts'
import { Pace } from '../../platform/outbound/pace.ts'

// If a process writes, and is busy for more than this share of the time, its deliveries wait and catch up later.
// Nothing is lost, because positions are stored. Other processes, such as workers, do not wait.
const busyUtilization = 0.5
const busyEvents = 100
const windowMs = 500
/** An endpoint that is further behind does not wait. */
export const behindMaxMs = 300_000
const busyPace = new Pace({ burst: 50, perSecond: 100 })

let written = 0
let wasBusy = false
let measuredAt = 0
let utilization = performance.eventLoopUtilization()

onEventsCommitted((_orgId, count) => {
  written += count
})

type Window = {
  /** The share of time in which the event loop was busy, 0 to 1. */
  share: number
  /** How many events were written. */
  written: number
  elapsedMs: number
}

/** Returns whether a process was busy with writes during a time window. */
export const isBusy = ({ share, written, elapsedMs }: Window): boolean =>
  share >= busyUtilization && (written / elapsedMs) * 1000 >= busyEvents

/** Returns whether this process is busy with requests or imports that write many events. Measured every 500 ms. */
export function isBusyWriting(): boolean {
  const now = performance.now()
  const elapsedMs = now - measuredAt
  if (elapsedMs < windowMs) return wasBusy
  const current = performance.eventLoopUtilization()
  const share = performance.eventLoopUtilization(current, utilization).utilization
  wasBusy = isBusy({ share, written, elapsedMs })
  ;[written, measuredAt, utilization] = [0, now, current]
  return wasBusy
}

/**
 * Waits until this process may deliver `count` events of an organization. While the process is busy with writes, it
 * delivers 100 a second. Each organization has its own pace: an organization that writes many events must not delay the
 * deliveries of other organizations.
 */
export async function throttleDeliveries(
  orgId: string,
  count: number,
  signal: AbortSignal,
  { isBusyNow = isBusyWriting, pace = busyPace }: { isBusyNow?: () => boolean; pace?: Pace } = {},
): Promise<void> {
  if (!isBusyNow()) return
  const end = performance.now() + pace.take(orgId, count)
  while (performance.now() < end && isBusyNow() && !signal.aborted)
    await delay(Math.min(windowMs, Math.max(1, end - performance.now())), undefined, { signal }).catch(
      () => {},
    )
}
