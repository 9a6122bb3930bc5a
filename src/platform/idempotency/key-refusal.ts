import { Problem } from '../http/problem.ts'

/** A 409 that is about the Idempotency-Key itself, and so never the answer that is kept under it. */
export class KeyRefusal extends Problem {
  override name = 'KeyRefusal'

  constructor(detail: string, headers: Record<string, string> = {}) {
    super(409, detail, headers)
  }
}
