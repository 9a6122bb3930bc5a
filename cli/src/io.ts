import type { Readable, Writable } from 'node:stream'

/** The streams and the environment of a command. Tests pass their own. */
export type Io = {
  env: Readonly<Record<string, string | undefined>>
  stdin: Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
  stdout: Writable & { isTTY?: boolean; columns?: number }
  stderr: Writable & { isTTY?: boolean; columns?: number }
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

/** Writes a text, and waits while the reader is slower than the command. */
export async function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (stream.write(text)) return
  await new Promise<void>((resolve) => {
    const done = () => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
  })
}
