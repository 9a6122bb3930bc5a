/**
 * Returns a stream with the bytes of `body`. Calls `onEnd` when the stream has ended, failed or was canceled.
 * @param shown the error that a reader gets instead of that of the runtime
 */
export function streamWithEnd(
  body: ReadableStream<Uint8Array>,
  onEnd: () => void,
  shown: (error: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          controller.close()
        } catch (error) {
          controller.error(shown(error))
        }
        onEnd()
      },
      cancel(reason) {
        onEnd()
        return reader.cancel(reason)
      },
    },
    // Read nothing before the caller does.
    { highWaterMark: 0 },
  )
}
