/**
 * Runs `act` every so often, never twice at once, until it is stopped; returns how, which waits for what runs.
 * @param act may take many steps, and asks `stopping` between them
 */
export function repeat(
  intervalMs: number,
  act: (stopping: () => boolean) => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<unknown> | null = null
  let stopping = false
  const timer = setInterval(() => {
    // What takes longer than its interval is not made up for.
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
