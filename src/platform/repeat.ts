/** Runs `act` every so often, never twice at once, until it is stopped; returns how, which waits for what runs. */
export function repeat(
  intervalMs: number,
  act: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(() => act().catch(onError))
  }, intervalMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
