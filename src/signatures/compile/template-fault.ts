/** Which of a template's two texts is at fault. */
export type TemplatePart = 'html' | 'text'

/** `syntax`: it cannot be read; `limits`: it would take too long; `too_long`: what comes out is too long for a mailbox. */
export type FaultReason = 'syntax' | 'limits' | 'too_long'

/** What is wrong with a template, in words for who wrote it. Nothing of how templates are read stands in them. */
export class TemplateFault extends Error {
  readonly part: TemplatePart
  readonly reason: FaultReason
  /** From 1, where it is known. */
  readonly line: number | undefined
  /** From 1, where it is known. */
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

  /** The message, with the place where it is known. */
  get placed(): string {
    return this.line === undefined
      ? this.message
      : `${this.message} (line ${this.line}, column ${this.column})`
  }
}
