import { DomainError } from '../domain-error.ts'
import type { CodeOf } from '../error-codes/catalog.ts'

/** A 409 that is about the Idempotency-Key itself, and so never the answer that is kept under it. */
export class KeyRefusal extends DomainError {
  override name = 'KeyRefusal'

  constructor(code: CodeOf<'conflict'>, message: string, options: { retryAfterSeconds?: number } = {}) {
    super(code, message, options)
  }
}
