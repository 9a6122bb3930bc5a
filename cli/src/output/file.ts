import { ConnectionError } from '../../../sdk/src/main.ts'
import { exitCodes, Failure } from '../exit.ts'
import { type Io, write } from '../io.ts'
import { visible } from './visible.ts'

/** Copies a file to standard output. On a terminal, its controls are shown. @throws Failure if it is cut off */
export async function printFile({ stdout }: Io, file: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  const shown = (chunk: Uint8Array) =>
    decoder.decode(chunk, { stream: true }).split(/\r?\n/).map(visible).join('\n')
  const reader = file.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(cutOff)
    if (done) return
    await write(stdout, stdout.isTTY ? shown(value) : value)
  }
}

/** @throws Failure for an answer whose connection broke */
export function cutOff(error: unknown): never {
  const { message } = error as Error
  const text = error instanceof ConnectionError ? message : `The answer is cut off: ${message}`
  throw new Failure(`${text}. Try again.`, exitCodes.unavailable)
}
