import { Readable, Writable } from 'node:stream'
import type { Io } from '../../cli/src/io.ts'
import { run } from '../../cli/src/run.ts'
import { newDataDir } from './processes.ts'

export type CommandOptions = {
  env?: Record<string, string>
  /** The text of standard input. A list has what the person types at once. */
  stdin?: string | readonly string[]
  /** The streams that are a terminal. */
  terminal?: readonly ('stdin' | 'stdout' | 'stderr')[]
  columns?: number
  signal?: AbortSignal
  /** Stops the command, as Ctrl-C does, once its output matches. */
  stopsAt?: RegExp
}

export type Ended = { code: number; stdout: string; stderr: string }

/** A stream that keeps what is written to it. */
class Written extends Writable {
  text = ''
  onText = (_text: string): void => {}
  readonly isTTY: boolean
  readonly columns: number

  constructor(isTTY: boolean, columns: number) {
    super({ decodeStrings: false })
    this.isTTY = isTTY
    this.columns = columns
  }

  override _write(chunk: string | Uint8Array, _encoding: string, done: () => void): void {
    this.text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    this.onText(this.text)
    done()
  }
}

/** Runs `crosswalk` in this process, with a home of its own. */
export async function runCrosswalk(args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  const { env = {}, stdin = '', terminal = [], columns = 80, stopsAt } = options
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  const stdout = new Written(terminal.includes('stdout'), columns)
  const stderr = new Written(terminal.includes('stderr'), columns)
  for (const stream of [stdout, stderr])
    stream.onText = (text) => {
      if (stopsAt?.test(text)) stop.abort()
    }
  const input = Object.assign(Readable.from([stdin].flat(), { objectMode: false }), {
    isTTY: terminal.includes('stdin'),
    setRawMode() {},
  })
  const home = env.XDG_CONFIG_HOME ?? newDataDir()
  const io: Io = {
    env: { XDG_CONFIG_HOME: home, ...env },
    stdin: input as Io['stdin'],
    stdout,
    stderr,
    signal,
  }
  const code = await run(args, io)
  return { code, stdout: stdout.text, stderr: stderr.text }
}

/** The settings of a command that acts for a client with an API key. */
export const settingsOf = ({ address, token }: { address: string; token: string | null }) => ({
  CROSSWALK_URL: address,
  CROSSWALK_API_KEY: token ?? '',
})

/** The words of a command line of a POSIX shell, without expansions. The rest after `>` is left out. */
export function shellWords(line: string): string[] {
  const words: string[] = []
  let word: string | null = null
  for (const [, single, double, escaped, space, plain] of line.matchAll(
    /'([^']*)'|"([^"]*)"|\\(\n|.)|(\s+)|([^\s'"\\]+)/gs,
  )) {
    if (space !== undefined || escaped === '\n') {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + (single ?? double ?? escaped ?? plain ?? '')
  }
  if (word !== null) words.push(word)
  const end = words.indexOf('>')
  return end < 0 ? words : words.slice(0, end)
}
