/**
 * Returns a stream with the bytes of `body`. Calls `onEnd` when the stream has ended or was canceled, or failed: with the error. A
 * reader gets the error that `onEnd` returns.
 */
export function streamWithEnd(
  body: ReadableStream<Uint8Array>,
  onEnd: (error?: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          controller.close()
          onEnd()
        } catch (error) {
          controller.error(onEnd(error))
        }
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
