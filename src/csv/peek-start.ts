const startBytes = 64 * 1024

/** The start of a source, and all of its bytes. */
export type PeekedSource = {
  /** 64 KiB or more; the whole source if it is shorter. */
  start: Buffer
  bytes: AsyncGenerator<Uint8Array, void>
  /** Closes the source. A caller that does not iterate `bytes` must call this. */
  close(): Promise<void>
}

/**
 * Reads the start of a source. The start decides how the rest is read.
 * @throws the error of the source
 */
export async function peekStart(source: AsyncIterable<Uint8Array>): Promise<PeekedSource> {
  const chunks = source[Symbol.asyncIterator]()
  const close = async () => {
    await chunks.return?.()
  }
  const parts: Uint8Array[] = []
  let size = 0
  while (size < startBytes) {
    const next = await chunks.next()
    if (next.done) break
    parts.push(next.value)
    size += next.value.length
  }
  const start = Buffer.concat(parts)
  async function* bytes() {
    try {
      yield start
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
    } finally {
      await close()
    }
  }
  return { start, bytes: bytes(), close }
}
