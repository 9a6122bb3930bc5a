import { type Io, write } from '../io.ts'
import { styleOf } from './style.ts'
import { fitted } from './width.ts'

/** Writes a message for people to standard error. A terminal gets it in lines that end between words. */
export function say(io: Io, text: string): Promise<void> {
  const { isTerminal, isPlain, width } = styleOf(io, io.stderr)
  return write(io.stderr, `${isTerminal && !isPlain ? fitted(text, width) : text}\n`)
}
