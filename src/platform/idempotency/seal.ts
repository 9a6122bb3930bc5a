import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/**
 * Seals what only whoever holds `token` may read again: AES-256-GCM under a key that HKDF-SHA-256 makes of the token,
 * which the server does not keep. `scope` is the salt, so that every answer has a key of its own.
 */
export class Seal {
  readonly #key: Buffer

  constructor(token: string, scope: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', token, scope, 'crosswalk kept answer', 32))
  }

  /** @returns nonce, tag and ciphertext */
  close(text: string): Buffer {
    const iv = randomBytes(ivBytes)
    const encryption = createCipheriv(cipher, this.#key, iv)
    const sealed = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
    return Buffer.concat([iv, encryption.getAuthTag(), sealed])
  }

  /** What `close` sealed; null if that was with another token. */
  open(sealed: Buffer): string | null {
    const decryption = createDecipheriv(cipher, this.#key, sealed.subarray(0, ivBytes))
    decryption.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
    try {
      const text = [decryption.update(sealed.subarray(ivBytes + tagBytes)), decryption.final()]
      return Buffer.concat(text).toString()
    } catch {
      return null
    }
  }
}
