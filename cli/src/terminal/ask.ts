import { createInterface } from 'node:readline'
import { exitCodes, Failure, UsageError } from '../exit.ts'
import { type Io, write } from '../io.ts'
import { say } from '../output/say.ts'

/** Asks a yes-or-no question on the terminal. @throws UsageError without a terminal, Failure for no */
export async function confirm(io: Io, question: string): Promise<void> {
  if (!io.stdin.isTTY)
    throw new UsageError(`${question}\nThis needs a confirmation, and there is no terminal. Add --yes.`)
  await say(io, question)
  const answer = await ask(io, 'Continue? [y/N] ')
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('Nothing was done.')
}

/** Reads one line from the terminal. @throws Failure if the input ends, or after Ctrl-C */
export function ask(io: Io, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // The terminal itself edits the line, so that nothing moves the cursor.
    const lines = createInterface({ input: io.stdin, output: io.stderr, terminal: false })
    const stop = () => lines.close()
    io.signal.addEventListener('abort', stop, { once: true })
    lines.once('SIGINT', stop)
    lines.once('close', () => {
      io.signal.removeEventListener('abort', stop)
      reject(new Failure('Nothing was done.', exitCodes.interrupted))
    })
    lines.question(question, (answer) => {
      resolve(answer)
      lines.close()
    })
  })
}

/** Reads one line without showing it: an API key. @throws Failure after Ctrl-C, or another signal */
export async function askSecret(io: Io, question: string): Promise<string> {
  await write(io.stderr, question)
  const { stdin, signal } = io
  stdin.setRawMode?.(true)
  try {
    return await new Promise<string>((resolve, reject) => {
      const line = new SecretLine()
      const stop = () => reject(new Failure('Nothing was done.', exitCodes.interrupted))
      stdin.on('data', (chunk) => {
        const end = line.type(String(chunk))
        if (end === 'entered') resolve(line.text)
        if (end === 'interrupted') stop()
      })
      stdin.once('end', () => resolve(line.text))
      signal.addEventListener('abort', stop, { once: true })
      // After another question the input is paused, and a new listener alone does not start it again.
      stdin.resume()
    })
  } finally {
    stdin.removeAllListeners('data')
    stdin.pause()
    stdin.setRawMode?.(false)
    await write(io.stderr, '\n')
  }
}

/** A line that is typed without an echo. */
class SecretLine {
  text = ''

  /** Adds what the person typed, up to the end of the line. */
  type(typed: string): 'entered' | 'interrupted' | null {
    // An arrow key is not part of a secret.
    if (typed.startsWith('\u001b')) return null
    for (const character of typed) {
      if (character === '\r' || character === '\n') return 'entered'
      if (character === '\u0003' || character === '\u0004') return 'interrupted'
      if (character === '\u007f' || character === '\b') this.text = this.text.slice(0, -1)
      else if (character === '\u0015') this.text = ''
      else if (character >= ' ') this.text += character
    }
    return null
  }
}
