import type { Log } from './platform/log.ts'
import { settingWarnings } from './platform/setting-warnings.ts'
import { onStopSignal } from './platform/stop-signal.ts'

const stopWithinMs = 9_500

export type Stopping = { add(stop: () => Promise<unknown>): void; begun(): boolean }

/** Stops the parts in reverse order on SIGTERM or SIGINT. A second signal ends the process at once. */
export function stopOnSignal(log: Log): Stopping {
  const stops: (() => Promise<unknown>)[] = []
  let begun = false
  onStopSignal(async (signal) => {
    begun = true
    log.info({ signal }, 'stopping: finishing running requests and jobs')
    setTimeout(() => {
      log.error('not everything could be finished in time')
      process.exit(1)
    }, stopWithinMs).unref()
    for (const each of stops.reverse())
      await each().catch((error) => log.error({ err: error }, 'a part did not stop cleanly'))
    log.info('stopped')
    log.flush()
    process.exit(0)
  })
  return { add: (each) => stops.push(each), begun: () => begun }
}

/** Logs what the operator should know about the settings. */
export function warnOfSettings(log: Log): void {
  for (const warning of settingWarnings()) log.warn(warning)
}
