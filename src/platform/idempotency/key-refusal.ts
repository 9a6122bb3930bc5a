import { DomainError } from '../domain-error.ts'
import type { CodeOf } from '../error-codes/catalog.ts'

/** A 409 about the Idempotency-Key itself. It is never stored as the key's answer. */
export class KeyRefusal extends DomainError {
  override name = 'KeyRefusal'

  constructor(code: CodeOf<'conflict'>, message: string, options: { retryAfterSeconds?: number } = {}) {
    super(code, message, options)
  }
}
