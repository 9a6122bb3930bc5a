import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'

const idBytes = 16
const proofBytes = 16

/**
 * Tokens name an org in callback addresses. The token has the org's id and a proof of this
 * installation, so nobody can guess one, and no lookup across orgs is needed.
 */
export class OrgTokens {
  readonly #key: KeyObject

  /**
   * @param key signs the tokens. Other services store the tokens, so the key does not change with
   * the encryption key
   */
  constructor(key: Buffer) {
    this.#key = createSecretKey(key)
  }

  /** Makes the token of an org: 43 characters that need no escaping in an address. */
  make(orgId: string): string {
    const id = Buffer.from(parse(orgId))
    return Buffer.concat([id, this.#proof('token', id)]).toString('base64url')
  }

  /** The org of a token; null if this installation did not make it. */
  read(token: string): string | null {
    const bytes = Buffer.from(token, 'base64url')
    if (bytes.length !== idBytes + proofBytes || bytes.toString('base64url') !== token) return null
    const id = bytes.subarray(0, idBytes)
    return timingSafeEqual(bytes.subarray(idBytes), this.#proof('token', id)) ? stringify(id) : null
  }

  /** Signs a message for the org. The same process or another one of the installation checks it later. */
  sign(orgId: string, message: Buffer): Buffer {
    return this.#proof('message', Buffer.concat([Buffer.from(parse(orgId)), message]))
  }

  #proof(purpose: string, bytes: Buffer): Buffer {
    return createHmac('sha256', this.#key)
      .update(`${purpose}\0`)
      .update(bytes)
      .digest()
      .subarray(0, proofBytes)
  }
}
