import type { Log } from './platform/log.ts'
import { settingWarnings } from './platform/setting-warnings.ts'
import { onStopSignal } from './platform/stop-signal.ts'

const stopWithinMs = 9_500

type Stop = (signal: NodeJS.Signals) => Promise<unknown>
export type Stopping = { add(stop: Stop): void; begun(): boolean }

/**
 * Stops the parts in reverse order on SIGTERM or SIGINT. A second signal ends the process at once.
 * @param drainSeconds how long the parts continue after SIGTERM, before they stop
 */
export function stopOnSignal(log: Log, drainSeconds: number): Stopping {
  const stops: Stop[] = []
  let begun = false
  onStopSignal(async (signal) => {
    begun = true
    const drains = drainsAt(signal) ? drainSeconds : 0
    log.info(
      { signal },
      drains > 0
        ? `stopping in ${drains} s: /readyz answers 503, and requests are still served`
        : 'stopping: finishing running requests and jobs',
    )
    setTimeout(
      () => {
        log.error('not everything could be finished in time')
        process.exit(1)
      },
      drains * 1_000 + stopWithinMs,
    ).unref()
    for (const each of stops.reverse())
      await each(signal).catch((error) => log.error({ err: error }, 'a part did not stop cleanly'))
    log.info('stopped')
    log.flush()
    process.exit(0)
  })
  return { add: (each) => stops.push(each), begun: () => begun }
}

/** Whether the server first drains. Ctrl-C (SIGINT) stops it quickly: a person waits for it. */
export const drainsAt = (signal: NodeJS.Signals): boolean => signal === 'SIGTERM'

/** Logs what the operator should know about the settings. */
export function warnOfSettings(log: Log): void {
  for (const warning of settingWarnings()) log.warn(warning)
}
