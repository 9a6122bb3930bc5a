import { deriveKey } from '../encryption-key.ts'
import { seal, unseal } from '../sealing.ts'

export type SealedSecret = { org_id: string; name: string; key_id: string; sealed: Buffer }

/** Binds each secret to its org and name, so that a copied row does not open. */
export class SecretKey {
  readonly #key: Buffer
  /** Identifies a key without revealing it. */
  readonly id: string

  constructor(rootKey: Buffer) {
    this.#key = deriveKey(rootKey, 'secrets')
    this.id = deriveKey(rootKey, 'secrets key id', 8).toString('hex')
  }

  seal(orgId: string, name: string, value: string): Buffer {
    return seal(this.#key, value, contextOf(orgId, name))
  }

  /** Opens a secret. Returns null if the key, org or name differs, or if the sealed value was changed. */
  open({ org_id: orgId, name, key_id: keyId, sealed }: SealedSecret): string | null {
    return keyId === this.id ? unseal(this.#key, sealed, contextOf(orgId, name)) : null
  }
}

const contextOf = (orgId: string, name: string) => JSON.stringify(['secret', orgId, name])
