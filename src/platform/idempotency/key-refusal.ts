import { DomainError } from '../domain-error.ts'

/** A 409 that is about the Idempotency-Key itself, and so never the answer that is kept under it. */
export class KeyRefusal extends DomainError {
  override name = 'KeyRefusal'

  constructor(message: string, options: { retryAfterSeconds?: number } = {}) {
    super('conflict', message, options)
  }
}
