type Act = (stopping: () => boolean) => Promise<unknown>

/** Runs `act` at once, and then like `repeatEvery`. The returned function waits for the first run, too. */
export function repeatNowAndEvery(
  intervalMs: number,
  act: Act,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let stopping = false
  const first = act(() => stopping).catch(onError)
  const stop = repeatEvery(intervalMs, act, onError)
  return async () => {
    stopping = true
    await Promise.all([first, stop()])
  }
}

/**
 * Runs `act` every `intervalMs`, never twice at once. Returns a function that stops it, and waits for a running
 * `act`.
 * @param act should stop between two steps once `stopping` returns true
 */
export function repeatEvery(
  intervalMs: number,
  act: Act,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<unknown> | null = null
  let stopping = false
  const timer = setInterval(() => {
    // Skip the next run while a run takes longer than the interval.
    running ??= act(() => stopping)
      .catch(onError)
      .finally(() => {
        running = null
      })
  }, intervalMs)
  timer.unref()
  return async () => {
    stopping = true
    clearInterval(timer)
    await running
  }
}
