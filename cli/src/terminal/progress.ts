import type { Io } from '../io.ts'
import { styleOf } from '../output/style.ts'
import { cut } from '../output/width.ts'

const clearLine = '\r\u001b[2K'
const barWidth = 20
/** Each redraw shows the next character, so that people see that the work continues. */
const spinner = '⠋⠙⠹⠸⠼⠴⠦⠧'
const redrawMs = 250
/** Without a terminal that can redraw a line, progress is a new line this often. */
const lineMs = 5000

/** The progress of long work on standard error: a line that is redrawn, or a new line every 5 s. */
export class Progress {
  readonly #io: Io
  readonly #startedAt = Date.now()
  readonly #redraws: boolean
  readonly #timer: ReturnType<typeof setInterval>
  #share: number | null = null
  #drawn = 0
  #text = ''

  constructor(io: Io) {
    this.#io = io
    const { isTerminal, isPlain } = styleOf(io, io.stderr)
    this.#redraws = isTerminal && !isPlain
    this.#timer = setInterval(() => this.#draw(), this.#redraws ? redrawMs : lineMs)
    this.#timer.unref()
  }

  /** @param share from 0 to 1; null: unknown */
  update(share: number | null, text: string): void {
    this.#share = share
    this.#text = text
  }

  /** Writes a line that stays. */
  say(text: string): void {
    this.#io.stderr.write(`${this.#redraws ? clearLine : ''}${text}\n`)
  }

  /** Removes the line. */
  stop(): void {
    clearInterval(this.#timer)
    if (this.#redraws) this.#io.stderr.write(clearLine)
  }

  #draw(): void {
    if (this.#text === '') return
    const seconds = Math.floor((Date.now() - this.#startedAt) / 1000)
    const elapsed = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    const percent = this.#share === null ? '' : `${Math.floor(this.#share * 100)} %  `
    const line = `${percent}${this.#text}  ${elapsed}`
    if (!this.#redraws) this.#io.stderr.write(`${line}\n`)
    else
      this.#io.stderr.write(
        `${clearLine}${cut(`${spinner[this.#drawn++ % spinner.length]} ${this.#bar()}${line}`, (this.#io.stderr.columns ?? 80) - 1)}`,
      )
  }

  #bar(): string {
    if (this.#share === null) return ''
    const full = Math.round(this.#share * barWidth)
    return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} `
  }
}
