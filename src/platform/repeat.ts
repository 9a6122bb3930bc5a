/** Runs `act` every so often, never twice at once, until it is stopped; returns how, which waits for what runs. */
export function repeat(
  intervalMs: number,
  act: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<unknown> | null = null
  const timer = setInterval(() => {
    // What takes longer than its interval is not made up for.
    running ??= act()
      .catch(onError)
      .finally(() => {
        running = null
      })
  }, intervalMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
