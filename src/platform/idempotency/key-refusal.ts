import { DomainError } from '../domain-error.ts'

/** A 409 about the Idempotency-Key itself. It is never stored as the key's answer. */
export class KeyRefusal extends DomainError {
  override name = 'KeyRefusal'

  constructor(message: string, options: { retryAfterSeconds?: number } = {}) {
    super('conflict', message, options)
  }
}
