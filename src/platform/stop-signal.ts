/** A second signal before this time is ignored: one Ctrl-C arrives twice, from the terminal and from npm. */
const repeatedSignalMs = 1_000

/** Calls `stop` at the first SIGTERM or SIGINT. A second signal ends the process with status 1. */
export function onStopSignal(stop: (signal: NodeJS.Signals) => unknown): void {
  let stoppingSince: number | null = null
  const listener = (signal: NodeJS.Signals) => {
    if (stoppingSince === null) {
      stoppingSince = performance.now()
      stop(signal)
    } else if (performance.now() - stoppingSince > repeatedSignalMs) {
      process.exit(1)
    }
  }
  process.on('SIGTERM', listener).on('SIGINT', listener)
}
