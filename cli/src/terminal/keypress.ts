import { emitKeypressEvents, type Key } from 'node:readline'
import { exitCodes, Failure } from '../exit.ts'
import type { Io } from '../io.ts'

/** Reads single keys from the terminal, one at a time. Close it to give the terminal back. */
export class Keys {
  readonly #io: Io
  readonly #typed: string[] = []
  #waiting: ((key: string | null) => void) | null = null
  #isOver = false

  constructor(io: Io) {
    this.#io = io
    emitKeypressEvents(io.stdin)
    io.stdin.setRawMode?.(true)
    io.stdin.on('keypress', this.#onKey).once('end', this.#onEnd).resume()
    io.signal.addEventListener('abort', this.#onEnd)
  }

  /** The next of the allowed keys, in lower case. @throws Failure after Ctrl-C, or if the input ends */
  async next(allowed: string): Promise<string> {
    for (;;) {
      const key = this.#typed.shift() ?? (await this.#wait())
      if (key === null) throw new Failure('Interrupted.', exitCodes.interrupted)
      if (key !== '' && allowed.includes(key)) return key
    }
  }

  close(): void {
    const { stdin, signal } = this.#io
    stdin.off('keypress', this.#onKey).off('end', this.#onEnd)
    signal.removeEventListener('abort', this.#onEnd)
    stdin.setRawMode?.(false)
    stdin.pause()
  }

  #wait(): Promise<string | null> {
    if (this.#isOver) return Promise.resolve(null)
    return new Promise((resolve) => {
      this.#waiting = resolve
    })
  }

  readonly #onKey = (text: string | undefined, key: Key): void => {
    const isEnd = key.ctrl && (key.name === 'c' || key.name === 'd')
    if (isEnd) {
      this.#onEnd()
      return
    }
    const typed = (text ?? '').toLowerCase()
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting) waiting(typed)
    else this.#typed.push(typed)
  }

  readonly #onEnd = (): void => {
    this.#isOver = true
    this.#waiting?.(null)
    this.#waiting = null
  }
}
