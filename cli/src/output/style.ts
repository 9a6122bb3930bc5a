import type { Io } from '../io.ts'

/** How a stream shows texts. The colors are readable on light and on dark backgrounds. */
export type Style = {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  /** True for screen readers and simple terminals: the cursor does not move, and there are no bars and no columns. */
  isPlain: boolean
  isTerminal: boolean
  /** The width of the terminal; 80 if unknown. */
  width: number
}

/** The style of a stream: colors only for a terminal. */
export function styleOf({ env }: Io, stream: Io['stdout']): Style {
  const isTerminal = stream.isTTY === true
  const isPlain = env.TERM === 'dumb' || Boolean(env.CROSSWALK_PLAIN)
  const hasColor = isTerminal && !isPlain && !env.NO_COLOR
  const color = (code: number) => (text: string) => (hasColor ? `\u001b[${code}m${text}\u001b[0m` : text)
  return {
    ...{ bold: color(1), dim: color(2), red: color(31), green: color(32) },
    ...{ isPlain, isTerminal, width: stream.columns ?? 80 },
  }
}
