import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'

const idBytes = 16
const proofBytes = 16

/**
 * Tokens that name an org in callback addresses. A token has the org's id and a proof that this installation made it.
 * Nobody can guess a token, and finding its org needs no lookup across orgs.
 */
export class OrgTokens {
  readonly #key: KeyObject

  /**
   * @param key signs the tokens. It does not change with the encryption key, because other services store the tokens
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

  /** Signs a message for the org. Any process of the installation can check the signature. */
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
