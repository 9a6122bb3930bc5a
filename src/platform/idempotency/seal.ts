import { hkdfSync } from 'node:crypto'
import { seal, unseal } from '../sealing.ts'

/**
 * Seals what only whoever holds `token` may read again, under a key that HKDF-SHA-256 makes of the token, which the
 * server does not keep. `scope` is the salt, so that every answer has a key of its own.
 */
export class Seal {
  readonly #key: Buffer

  constructor(token: string, scope: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', token, scope, 'crosswalk kept answer', 32))
  }

  /** The text, sealed. */
  close(text: string): Buffer {
    return seal(this.#key, text)
  }

  /** What `close` sealed; null if that was with another token. */
  open(sealed: Buffer): string | null {
    return unseal(this.#key, sealed)
  }
}
