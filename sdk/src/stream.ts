/**
 * Returns a stream with the bytes of `body`. Calls `onEnd` when the stream has ended, failed or was canceled. A reader of a stream
 * that fails gets the error that `fail` throws.
 */
export function streamWithEnd(
  body: ReadableStream<Uint8Array>,
  onEnd: () => void,
  fail: (error: unknown) => never,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error) => {
          onEnd()
          return fail(error)
        })
        if (!done) return controller.enqueue(value)
        onEnd()
        controller.close()
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
