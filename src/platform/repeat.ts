/**
 * Runs `act` every `intervalMs`, and never twice at once. Returns a function that stops it, and waits for a running `act`.
 * @param act if it takes many steps, it calls `stopping` between them
 */
export function repeat(
  intervalMs: number,
  act: (stopping: () => boolean) => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<unknown> | null = null
  let stopping = false
  const timer = setInterval(() => {
    // A run that takes longer than the interval skips the next run.
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
