import { hkdfSync } from 'node:crypto'
import { seal, unseal } from '../sealing.ts'

/**
 * Seals an answer so that only the owner of `token` can read it again. HKDF-SHA-256 derives the key from the token,
 * which the server does not store. The salt is `scope`, so each answer has its own key.
 */
export class AnswerSeal {
  readonly #key: Buffer

  constructor(token: string, scope: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', token, scope, 'crosswalk kept answer', 32))
  }

  close(text: string): Buffer {
    return seal(this.#key, text)
  }

  /** Opens a sealed text; null if another token sealed it. */
  open(sealed: Buffer): string | null {
    return unseal(this.#key, sealed)
  }
}
