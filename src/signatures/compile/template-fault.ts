export type TemplatePart = 'html' | 'text'

/**
 * `syntax`: the template cannot be read. `limits`: the template does too much work. `too_long`: the
 * result is too long for a mailbox.
 */
export type FaultReason = 'syntax' | 'limits' | 'too_long'

/** A fault of a template, with a text for its author that reveals nothing about the engine. */
export class TemplateFault extends Error {
  readonly part: TemplatePart
  readonly reason: FaultReason
  /** The line of the fault, from 1; undefined if unknown. */
  readonly line: number | undefined
  /** The column of the fault, from 1; undefined if unknown. */
  readonly column: number | undefined

  constructor(
    part: TemplatePart,
    reason: FaultReason,
    message: string,
    at?: { line: number; column: number },
  ) {
    super(message)
    this.name = 'TemplateFault'
    this.part = part
    this.reason = reason
    this.line = at?.line
    this.column = at?.column
  }

  /** The message with line and column, if they are known. */
  get placed(): string {
    return this.line === undefined
      ? this.message
      : `${this.message} (line ${this.line}, column ${this.column})`
  }
}
