import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'

const idBytes = 16
const proofBytes = 16

/**
 * Names of orgs that nobody can guess, for the addresses under which other services call back: the id and a proof that we
 * wrote it, so that no look-up across orgs is needed.
 */
export class OrgTokens {
  readonly #key: KeyObject

  /** @param key one that stays when the encryption key changes: other services keep these names */
  constructor(key: Buffer) {
    this.#key = createSecretKey(key)
  }

  /** 43 characters that need no escaping in an address. */
  make(orgId: string): string {
    const id = Buffer.from(parse(orgId))
    return Buffer.concat([id, this.#proof('token', id)]).toString('base64url')
  }

  /** The org of a token; null if it is none of ours. */
  read(token: string): string | null {
    const bytes = Buffer.from(token, 'base64url')
    if (bytes.length !== idBytes + proofBytes || bytes.toString('base64url') !== token) return null
    const id = bytes.subarray(0, idBytes)
    return timingSafeEqual(bytes.subarray(idBytes), this.#proof('token', id)) ? stringify(id) : null
  }

  /** Signs a message of the org's, for what is both its sender and its reader. */
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
